#!/usr/bin/env bash
# Installs what is missing, builds, and prints the benchmark tables of docs/performance.md.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh benchmark >&2
build/benchmark/bin/benchmarks
