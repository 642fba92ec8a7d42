#!/usr/bin/env bash
# Installs what is missing, builds, and prints the benchmark tables of docs/performance.md:
# scripts/bench.sh [PART...], of risk, sweep, solve, structures, learners, learn, python, inventory,
# training, gaps (half an hour)
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/bench-packages.txt
scripts/build.sh benchmark benchmarks
build/benchmark/bin/benchmarks "$@"
