#!/usr/bin/env bash
# Installs what is missing, and makes the documentation site: build/docs/html/index.html, to be opened
# from disk or served. Warnings are errors, and every link and anchor is checked. With --reference it
# makes the pages of docs/reference instead, from the command, the headers and the Python package.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1-} == --reference ]]; then
  scripts/build.sh release shortfall_app shortfall_python
  /usr/bin/python3 -B docs/site/reference.py build/release/bin/shortfall build/release/python
else
  scripts/setup.sh scripts/docs-packages.txt
  /usr/bin/python3 -B docs/site/build.py build/docs
fi
