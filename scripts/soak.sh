#!/usr/bin/env bash
# Installs what is missing, builds, and learns streams under kills, signals and full disks, for 60
# minutes by default: scripts/soak.sh [MINUTES] [OPTION...]. What differs is kept in soak-failures.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app
# A copy: another build must not change what runs.
binary=$(mktemp -d)/shortfall
trap 'rm -r "$(dirname "$binary")"' EXIT
cp build/release/bin/shortfall "$binary"
/usr/bin/python3 -B tests/soak/soak.py "$binary" --minutes "${1:-60}" "${@:2}"
