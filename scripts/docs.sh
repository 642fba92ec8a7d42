#!/usr/bin/env bash
# Installs what is missing, builds, and makes the documentation site: build/docs/html/index.html, to
# be opened from disk or served. Warnings are errors, and every link and anchor is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/docs-packages.txt
scripts/build.sh release shortfall_app shortfall_python
/usr/bin/python3 -B docs/site/build.py build/release/bin/shortfall build/release/python build/docs
