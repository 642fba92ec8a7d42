#!/usr/bin/env bash
# Installs what is missing, builds, and makes the notebooks of docs/notebooks from their pages, with
# what they print and draw: scripts/notebooks.sh [PAGE...]. Afterwards git diff shows what changed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_app shortfall_python
pages=("$@")
[[ ${#pages[@]} -gt 0 ]] || pages=(docs/notebooks/*.md)
/usr/bin/python3 -B tests/docs/tutorials.py build/release/bin/shortfall "${pages[@]}" --update \
  --package build/release/python
