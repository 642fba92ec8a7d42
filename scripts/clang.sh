#!/usr/bin/env bash
# Installs what is missing, builds with clang instead of g++, and runs the tests of what optimisation
# may break and the recorded outputs: the numbers do not depend on the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/fuzz-packages.txt
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_pages  # the command embeds them
scripts/build.sh clang shortfall_app optimised_tests
ctest --preset clang -R "^(optimised|golden)$"
