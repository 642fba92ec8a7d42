#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: on the library as it is installed, on a
# second build of it under the address and undefined-behaviour sanitizers, on the Python package in a
# clean virtual environment, and on the pages in a browser.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh test
ctest --preset test
