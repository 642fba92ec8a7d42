#!/usr/bin/env bash
# Installs what is missing, builds, and prints the benchmark tables of docs/performance.md:
# scripts/bench.sh [PART...], of risk, sweep, solve, structures, learners, learn, python, inventory,
# training, gaps (half an hour)
# scripts/bench.sh peers [model=NAME] [size=small|medium|large] [gamma=G] [limit=SECONDS]: other
# programs that solve the same models (hours for everything); not among the parts by default
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/bench-packages.txt
scripts/build.sh benchmark benchmarks
build/benchmark/bin/benchmarks "$@"
