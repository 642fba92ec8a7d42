#!/usr/bin/env bash
# Installs what is missing, builds, and prints which branches of the readers are taken by the tests of
# their folders and by the fuzzers' stored corpora, once each. Branches that only exceptions take are
# left out: nearly every call has one, for lack of memory. docs/reliability.md explains the rest.
# The preset inlines nothing, so that a branch counts once and not once per copy, and turns off
# simdjson's checks for developers, which write to memory that they may not have got.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/fuzz-packages.txt
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_pages  # the command embeds them
tests=(text_tests files_tests risk_tests formats_tests apps_tests)
scripts/build.sh coverage "${tests[@]}" fuzz_corpus
find build/coverage -name '*.gcda' -delete
for test in "${tests[@]}"; do
  RC_PARAMS=seed=1 build/coverage/bin/"$test" --gtest_brief=1 >"build/coverage/$test.log" 2>&1 ||
    { echo "coverage: $test failed; see build/coverage/$test.log" >&2; exit 1; }
done
build/coverage/bin/fuzz_corpus tests/fuzz/corpus 2>build/coverage/fuzz_corpus.log
# Writers, and what several processes read together, are not fuzzed.
gcovr --root . --object-directory build/coverage build/coverage/src build/coverage/apps build/coverage/tests \
  --filter 'src/(text|checkpoint|formats)/' --filter 'src/risk/any_loss.cpp' \
  --filter 'apps/shortfall/(learn_checkpoint|file_contents|stock_argument).cpp' \
  --exclude '.*_writer.cpp' --exclude 'src/formats/(distributed|fitted_plan).*' \
  --exclude-throw-branches --exclude-unreachable-branches --branches --print-summary "$@"
