# The Python package of Debian's Python.
apt-get update -qq
apt-get install -qq --no-install-recommends ./python3-shortfall_*.deb
cp solve.py /tmp
cd /
python3 /tmp/solve.py | tee /tmp/answer
test -d /usr/lib/python3/dist-packages/shortfall/__pycache__
apt-get purge -qq python3-shortfall
test ! -e /usr/lib/python3/dist-packages/shortfall
tail -n 1 /tmp/answer
