#!/usr/bin/env bash
# Installs what is missing, builds, and compares the command with the exact oracle:
# scripts/oracle.sh [COUNT] [SEED]. Cases that violate their error bound are kept in oracle-violations.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/test-packages.txt
scripts/build.sh release shortfall_app shortfall_oracle
build/release/bin/shortfall_oracle build/release/bin/shortfall "${1:-5000}" "${2:-1}"
