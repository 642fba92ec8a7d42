#!/usr/bin/env bash
# Installs what is missing, builds with clang instead of g++, runs the tests of what optimisation may
# break, and compares all recorded commands with those of g++: the bytes do not depend on the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/fuzz-packages.txt
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_app
scripts/build.sh clang shortfall_app optimised_tests
ctest --preset clang -R "^(optimised|golden)$"
/usr/bin/python3 -B tests/golden/golden.py build/clang/bin/shortfall \
  --same-as build/release/bin/shortfall
