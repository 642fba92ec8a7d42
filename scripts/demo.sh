#!/usr/bin/env bash
# Installs what is missing, builds, and solves a small model at several attitudes to risk.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh release shortfall_app demo >&2
build/release/bin/demo
