#!/usr/bin/env bash
# Installs what is missing, builds, and goes from a hospital's records of blood platelets to today's
# order: a fitted plan, its solution, the order with its reason, a back-test, and an HTML report.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app
records=examples/records.csv
plan=out/plan.toml
run() {
  printf '\n$ shortfall %s\n' "$*"
  build/release/bin/shortfall "$@"
}
mkdir -p out
cat <<'TEXT'
A hospital orders platelets that expire within five days. Its records have one row per day: units
requested, ordered and received by days left. How many should it order today? First, a plan is
fitted to the records.
TEXT
run inventory fit $records --shelf-life 5 --out $plan
printf '\nThe best order for every stock and weekday, saved for every morning.\n'
run inventory solve $plan --save out/plan.solution
printf '\nToday is a Tuesday, with six units on the shelf; the rule so far was to order up to 12.\n'
run inventory order $plan --solution out/plan.solution --day tue --stock 1,2,3,0 \
  --compare base-stock:12
printf '\nTwo years of the records again: the plan, the rule, and what was really ordered.\n'
run inventory backtest $plan $records --solution out/plan.solution --compare base-stock:12
printf '\nThe plan as an HTML report, where you can enter the stock of today.\n'
run inventory report $plan --policy base-stock:12 --records $records --title Platelets --out out/plan.html
