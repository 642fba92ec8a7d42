#!/usr/bin/env bash
# Installs what is missing, builds, and updates the recorded outputs of the command in tests/golden:
# scripts/golden.sh [FILTER]. Afterwards git diff shows what changed for users.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app
/usr/bin/python3 tests/golden/golden.py build/release/bin/shortfall --update "$@"
