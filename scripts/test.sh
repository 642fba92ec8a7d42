#!/usr/bin/env bash
# Installs what is missing, builds and tests:
#   scripts/test.sh          what one needs to trust a build, on what users install: kernels, known
#                            answers and published numbers, recorded outputs, the exact oracle, the
#                            Python package, tutorials, the installed library
#   scripts/test.sh --deep   everything else: all modules under the address and undefined-behaviour
#                            sanitizers, sweeps on several threads under the thread sanitizer, vector
#                            targets, faults, soak, MPI, pages in a browser, the site, notebooks, and
#                            the tests of the tests
# CTest labels decide which test is which; docs/reliability.md has the list.
set -euo pipefail
cd "$(dirname "$0")/.."
case "$*" in
  "") deep=no ;;
  --deep) deep=yes ;;
  *)
    echo "test: unknown arguments: $*; accepted: none, or --deep" >&2
    exit 2
    ;;
esac
scripts/setup.sh scripts/test-packages.txt
if [[ $deep == no ]]; then
  scripts/build.sh release
  exec ctest --preset quick
fi
scripts/setup.sh scripts/deep-packages.txt
scripts/setup.sh scripts/docs-packages.txt
scripts/build.sh release
scripts/build.sh sanitized
scripts/build.sh tsan threads_tests race_canary  # scripts/tsan.sh builds and runs the rest
status=0
ctest --preset deep || status=$?
ctest --preset sanitized || status=$?
ctest --preset tsan -R '^(threads_tests|race_canary)$' || status=$?
exit $status
