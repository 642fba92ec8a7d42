#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: optimised, then under the address and
# undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
for preset in release asan-ubsan; do
  scripts/build.sh "$preset"
  ctest --preset "$preset"
done
