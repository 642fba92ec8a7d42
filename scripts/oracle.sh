#!/usr/bin/env bash
# Installs what is missing, builds, and holds the command against the exact oracle:
# scripts/oracle.sh [COUNT] [SEED]. What breaks its bound is kept in oracle-violations.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt >&2
scripts/build.sh release shortfall_app shortfall_oracle >&2
build/release/bin/shortfall_oracle build/release/bin/shortfall "${1:-5000}" "${2:-1}"
