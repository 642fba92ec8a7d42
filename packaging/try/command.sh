# The first results of the README, with the installed command.
apt-get update -qq
apt-get install -qq --no-install-recommends ./shortfall_*.deb
cd /usr/share/doc/shortfall
shortfall --version
shortfall risk --loss expectile:0.9 examples/plan_a.csv | grep '^risk   43.46153846153846 '
shortfall risk --loss expectile:0.9 examples/plan_b.csv | grep '^risk   65.92307692307692 '
shortfall solve examples/forest.csv --loss mean --gamma 0.9 | grep ' 33.484$'
shortfall inventory solve examples/platelets.toml --sweep risk.tau=0.1,0.5,0.9 | grep ' 0.9 *53.18516 *16 '
shortfall inventory report examples/platelets.toml --policy base-stock:15 --out "$HOME"/platelets.html |
  grep 'order 16'
shortfall inventory order examples/platelets.toml --stock 1,2,0,1 --json >/dev/null
test -s "$HOME"/platelets.html
shortfall study boyan --loss mean --algorithm td --out "$HOME"/study
test -s "$HOME"/study/study.html
test "$(ls /usr/share/man/man1/shortfall*.1.gz | wc -l)" -ge 20
bash -c 'source /usr/share/bash-completion/completions/shortfall; complete -p shortfall'
apt-get purge -qq shortfall
test ! -e /usr/share/doc/shortfall
echo "command: $(dpkg-query -W | wc -l) Debian packages in all"
