#!/usr/bin/env bash
# Installs what is missing, builds, and makes the documentation site: build/docs/html/index.html.
# Warnings are errors, and every link and anchor within the site is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/docs-packages.txt
if [[ $# -eq 0 ]]; then
  scripts/build.sh release shortfall_app shortfall_python
fi
binary=${1:-build/release/bin/shortfall}
package=${2:-build/release/python}
/usr/bin/python3 -B docs/site/build.py "$binary" "$package"
