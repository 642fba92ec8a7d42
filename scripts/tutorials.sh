#!/usr/bin/env bash
# Installs what is missing, builds, and writes what commands print into the pages of docs/:
# scripts/tutorials.sh [PAGE...]. Afterwards git diff shows what changed for readers. The pictures
# are drawn again, too.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release
pages=("$@")
[[ ${#pages[@]} -gt 0 ]] || pages=(docs/tutorials/*.md docs/ideas/*.md docs/howto/*.md docs/tour.md)
/usr/bin/python3 -B tests/docs/tutorials.py build/release/bin/shortfall "${pages[@]}" --update \
  --package build/release/python --install build/release
/usr/bin/python3 -B docs/site/pictures.py build/release/bin/shortfall build/release/web
