#!/usr/bin/env bash
# Checks formatting and runs clang-tidy, installing what it needs: on the files that differ from the
# main branch (or are not committed), or with --all on every file. --fix formats instead.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/lint-packages.txt

files=()
case ${1:-} in
  '')
    main=$(git rev-parse --verify -q origin/main || git rev-parse --verify -q main || echo HEAD)
    base=$(git merge-base HEAD "$main")
    mapfile -t files < <({
      git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
      git ls-files --others --exclude-standard -- '*.cpp' '*.hpp'
    } | sort -u)
    ;;
  --all | --fix) mapfile -t files < <(git ls-files '*.cpp' '*.hpp') ;;
  *)
    echo "lint: unknown option $1; accepted: --all, --fix" >&2
    exit 2
    ;;
esac
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${files[@]}"
  exit
fi
[[ ${#files[@]} -gt 0 ]] || { echo "lint: no source differs from the main branch; try --all"; exit; }
clang-format --dry-run --Werror "${files[@]}"

scripts/setup.sh
scripts/setup.sh scripts/test-packages.txt
scripts/setup.sh scripts/deep-packages.txt
build=build/lint
configure=()
tidy=(clang-tidy --quiet)
if [[ ${1:-} == --all ]]; then
  # The sources of a folder are checked as one: most of a source's time is its headers. The analyser
  # looks into included sources only if the path of the including one contains "UnifiedSource".
  build=build/lint-UnifiedSource
  configure=(-D CMAKE_UNITY_BUILD=ON)
  tidy+=(--checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option)
fi
cmake --preset lint -B $build "${configure[@]}" --log-level=WARNING >/dev/null
if [[ ${1:-} == --all ]]; then
  git ls-files -z '*/.clang-tidy' | xargs -0 cp --parents -t $build
  # Nothing is built, so that the generated sources are not there.
  mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' $build/compile_commands.json |
    grep -v '/\(source_hash\|commit\)\.cpp$')
fi
# examples/own_loss.cpp is built by a test, as a project of its own; -inl.hpp are parts of kernels.
printf '%s\n' "${files[@]}" | sed '/^examples\/own_loss\.cpp$/d; /-inl\.hpp$/d' |
  xargs -r -P "$(nproc)" -n 1 "${tidy[@]}" -p $build \
    2> >(sed '/ warnings\? generated\.$/d' >&2)  # counts what it does not report
