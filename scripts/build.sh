#!/usr/bin/env bash
# Installs what is missing, configures and builds: scripts/build.sh PRESET [TARGET...]
# The compiler's output goes to build/PRESET.log.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
scripts/setup.sh
configure_and_build() {
  cmake --preset "$preset" --log-level=WARNING
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
export -f configure_and_build
export preset
scripts/run_logged.sh "build/$preset.log" "Building ($preset)" bash -ec 'configure_and_build "$@"' _ "$@"
