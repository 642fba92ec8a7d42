#!/usr/bin/env bash
# Installs the package with pip in a clean virtual environment, with Debian's packages and offline, and
# runs its tests: run_installed.sh PYTHON SOURCE BUILD_TREE
set -euo pipefail
python=$1 source=$2 tree=$3
environment=$tree/python/environment
"$python" -m venv --clear --system-site-packages "$environment"
SHORTFALL_BUILD_TREE=$tree PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
  "$environment/bin/pip" install --quiet "$source"
cd "$environment"  # where no other package of this name is in sight
exec bin/python -m pytest -q -p no:cacheprovider -c "$source/pyproject.toml" "$source/python/tests"
