#!/usr/bin/env bash
# Checks that docs/reproduction.md is of these sources, installs what is missing, builds, writes the
# Debian packages and the wheel to build/packages, and checks their contents:
# scripts/package.sh [--unreleased] [--compare] [--try]
#   --unreleased  docs/reproduction.md may be of other sources: for packages that are no release
#   --compare  makes them again in a clone in another folder, and compares the bytes
#   --try      installs each in a bare Debian 12 root and uses it; needs root and the network
set -euo pipefail
cd "$(dirname "$0")/.."
compare=no try=no unreleased=no
for option in "$@"; do
  case $option in
    --compare) compare=yes ;;
    --try) try=yes ;;
    --unreleased) unreleased=yes ;;
    *)
      echo "package: unknown option $option; accepted: --unreleased, --compare, --try" >&2
      exit 2
      ;;
  esac
done
if [[ $compare == yes && -n $(git status --porcelain) ]]; then
  echo "package: --compare makes the second packages from the last commit; commit your changes" >&2
  exit 2
fi
if [[ $try == yes && $EUID -ne 0 ]]; then
  echo "package: --try needs root, to change into the bare system" >&2
  exit 2
fi
if [[ $unreleased == no ]]; then
  cmake -DROOT="$PWD" -DPAGE=docs/reproduction.md -P cmake/source_hash.cmake
fi
scripts/setup.sh scripts/package-packages.txt

# The same bytes: no time, language or permission of this moment or user.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022

make_packages() {  # in the current folder
  scripts/build.sh release shortfall shortfall_app shortfall_python shortfall_manual
  rm -rf build/packages build/release/cpack
  mkdir -p build/packages
  scripts/run_logged.sh build/cpack.log "Writing Debian packages" \
    cpack --config build/release/CPackConfig.cmake -B build/release/cpack
  cp build/release/cpack/*.deb build/packages
  scripts/run_logged.sh build/wheel.log "Writing the wheel" \
    /usr/bin/python3 -B packaging/wheel.py . build/release build/packages
}
make_packages
/usr/bin/python3 -B packaging/wheel_check.py build/packages/*.whl
/usr/bin/python3 -B packaging/deb_check.py build/packages
lintian --allow-root --fail-on error,warning --suppress-tags-from-file packaging/lintian-not-checked \
  build/packages/*.deb

if [[ $compare == yes ]]; then
  second=build/second_build_elsewhere
  rm -rf $second
  git clone -q . $second
  (cd $second && make_packages)
  for package in build/packages/*; do
    cmp "$package" "$second/$package"
  done
  echo "Two builds, the same bytes"
fi
[[ $try == no ]] || packaging/try.sh build/packages
