#!/usr/bin/env bash
# Installs the Debian packages of a list that are missing: scripts/setup.sh [LIST]
# Asks apt for nothing when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."
list=${1:-scripts/packages.txt}

missing=()
while read -r package; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done < <(grep -v '^#' "$list")
# Node's own packages have npm within nodejs, and conflict with Debian's.
command -v npm >/dev/null || missing+=(nodejs npm)
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "setup: these packages are missing and need root: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
  sudo -v  # asks for the password here, not below the progress line
fi
scripts/run_logged.sh build/setup.log "Installing ${#missing[@]} Debian packages" \
  "${as_root[@]}" bash -exc 'export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@"' _ "${missing[@]}"
