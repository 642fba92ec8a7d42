#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: on what users install (its kernels and
# published numbers, the recorded outputs, the exact oracle, the Python package in a clean virtual
# environment, the pages in a browser), and every test once more or for the first time on a second
# build under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release
scripts/build.sh sanitized
ctest --preset release
ctest --preset sanitized
