#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests of parallel code under the thread sanitizer.
# tests/tsan.supp names what it reports of oneTBB, which Debian compiles without it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_pages  # the command embeds them
scripts/build.sh tsan
ctest --preset tsan
