#!/usr/bin/env bash
# Installs what is missing, builds, and prints the tables of docs/plans_from_records.md (hours):
# scripts/fit_study.sh [YEARS], 200 simulated years for each row of plans, 1000 for intervals.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/bench-packages.txt
scripts/build.sh benchmark fit_study
build/benchmark/bin/fit_study coverage 1000
for hospital in platelets london; do
  for days in 30 90 180 365 730; do
    build/benchmark/bin/fit_study plans "$hospital" "$days" "${1:-200}"
  done
done
