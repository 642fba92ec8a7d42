#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: on the library as it is installed, and on a
# second build of it under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh test
ctest --preset test
