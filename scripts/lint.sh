#!/usr/bin/env bash
# Checks formatting (--fix: formats) and runs clang-tidy over all sources. Installs what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null || ! command -v clang-tidy >/dev/null; then
  scripts/setup.sh scripts/lint-packages.txt
fi
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${files[@]}"
  exit
fi
clang-format --dry-run --Werror "${files[@]}"
scripts/setup.sh
cmake --preset lint --log-level=WARNING >/dev/null
git ls-files 'src/*.cpp' 'report/*.cpp' 'studies/*.cpp' 'apps/*.cpp' 'examples/*.cpp' |
  xargs -P "$(nproc)" -n 4 clang-tidy -p build/lint --quiet
