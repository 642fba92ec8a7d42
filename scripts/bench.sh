#!/usr/bin/env bash
# Installs what is missing, builds, and prints the benchmark tables of docs/performance.md:
# scripts/bench.sh [PART...], of risk, sweep, solve, structures, learners, learn, python, inventory,
# training, gaps (half an hour); without a name, all of these
# scripts/bench.sh structures [first=I] [problems=N] [limit=SECONDS]
# scripts/bench.sh peers [model=NAME]... [size=small|medium|large]... [gamma=G]... [limit=SECONDS]:
# the same models solved by SciPy and PETSc (hours for everything)
# scripts/bench.sh mpi [inventory] [sparse] [band]: one rank, two ranks and two threads
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1-} == mpi ]]; then
  scripts/setup.sh scripts/test-packages.txt
  scripts/build.sh release shortfall_app shortfall_mpi_app
  exec /usr/bin/python3 -B benchmarks/mpi_scaling.py build/release/bin "${@:2}"
fi
scripts/setup.sh scripts/bench-packages.txt
scripts/build.sh benchmark benchmarks
build/benchmark/bin/benchmarks "$@"
