#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: on what users install (kernels and published
# numbers, recorded outputs, tutorials, the exact oracle, the Python package in a clean virtual
# environment, the pages in a browser, the documentation site), and all tests in a second build with the address and undefined-behaviour
# sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/setup.sh scripts/docs-packages.txt
scripts/build.sh release
scripts/build.sh sanitized
status=0
ctest --preset release || status=$?
ctest --preset sanitized || status=$?
exit $status
