#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests of parallel code and the recorded outputs under
# the thread sanitizer. tests/tsan.supp names what it reports of oneTBB, which Debian compiles without
# it. Open MPI is left out for the same reason: what ranks do together is tested with threads as ranks.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_pages  # the command embeds them
scripts/build.sh tsan
ctest --preset tsan
