#!/usr/bin/env bash
# Installs what is missing, builds, and plans a stock of blood platelets: the exact optimum at five
# attitudes to risk, simpler rules beside it, what would happen under each of them, and a page of it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app >&2
platelets=examples/platelets.toml
run() {
  printf '\n$ shortfall %s\n' "$*"
  build/release/bin/shortfall "$@"
}
cat <<'TEXT'
A hospital orders platelets that perish within five days. How much, knowing how many of each age are
left? Below, from a hopeful (0.1) to a fearful (0.9) attitude to risk: 0.5 is the plain average, and
at 0.9 each unit of cost above the level reported weighs nine times as much as one below.
TEXT
run inventory solve $platelets --sweep risk.tau=0.1,0.3,0.5,0.7,0.9
printf '\nSimpler rules, judged at 0.9: as if nothing perished, one period at a time, the plain average.\n'
run inventory evaluate $platelets --policy optimal --policy static --policy myopic \
  --policy risk-neutral --policy base-stock:14
printf '\nA year under each of them, 10000 times, with the same demand for all.\n'
run inventory simulate $platelets --policy optimal --policy static --policy myopic \
  --policy risk-neutral --policy base-stock:14
printf '\nAll of this to look at, and to ask for the stock at hand.\n'
mkdir -p out
run inventory report $platelets --out out/platelets.html
