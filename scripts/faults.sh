#!/usr/bin/env bash
# Installs what is missing, builds, and runs the commands again and again, each time with another
# system call or allocation that fails: scripts/faults.sh [CASE...]. All cases take hours.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app inject_fault failing_allocations
bin=build/release
inject=$(find $bin -name inject_fault -type f)
library=$(find $bin -name '*failing_allocations.so')
python=/usr/bin/python3
status=0
$python -B tests/faults/faults.py "$inject" $bin/bin/shortfall --full "$@" || status=$?
$python -B tests/faults/allocations.py "$inject" "$library" $bin/bin/shortfall --full "$@" || status=$?
exit $status
