#!/usr/bin/env bash
# Installs what is missing, builds, and prints the benchmark tables of docs/performance.md:
# scripts/bench.sh [PART...], of risk, sweep, solve, structures, learners, learn, python, inventory,
# training, gaps (half an hour); without a name, all of these
# scripts/bench.sh structures [first=I] [problems=N] [limit=SECONDS]
# scripts/bench.sh peers [model=NAME]... [size=small|medium|large]... [gamma=G]... [limit=SECONDS]:
# the same models solved by SciPy and PETSc (hours for everything)
# scripts/bench.sh mpi [inventory] [sparse] [band]: one rank, two ranks and two threads
# scripts/bench.sh mpi-model [london] [week] [explicit]: what ranks compute and receive, and the time
# on more cores that follows
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1-} == mpi || ${1-} == mpi-model ]]; then
  scripts/setup.sh scripts/deep-packages.txt
  scripts/build.sh release shortfall_app shortfall_mpi_app
  [[ $1 == mpi ]] && program=mpi_scaling.py || program=mpi_cost_model.py
  exec /usr/bin/python3 -B "benchmarks/$program" build/release/bin "${@:2}"
fi
scripts/setup.sh scripts/bench-packages.txt
scripts/build.sh benchmark benchmarks
build/benchmark/bin/benchmarks "$@"
