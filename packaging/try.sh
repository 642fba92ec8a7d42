#!/usr/bin/env bash
# Installs each package of a folder in a bare Debian 12 of its own, from the mirrors that this machine
# uses, and follows docs/howto/install.md there: packaging/try.sh FOLDER
set -euo pipefail
packages=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

sources() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk '$2 ~ /^bookworm/ {print "deb", $1, $2, $3}' | sort -u
}
apt-config dump | grep '^Acquire::' >"$work/apt.conf" || true
seconds=$SECONDS
sources | mmdebstrap --quiet --variant=minbase --aptopt="$work/apt.conf" bookworm "$work/bare.tar" -
echo "A bare Debian 12: $((SECONDS - seconds)) s, $(($(stat -c %s "$work/bare.tar") >> 20)) MiB"

# The page's own text, so that what it says is what is tried.
sed -n '/^```cmake CMakeLists.txt$/,/^```$/p' "$here/../docs/howto/install.md" |
  sed '1d; $d' >"$work/CMakeLists.txt"

inside() {  # in a process and mount namespace of its own, so that nothing remains
  unshare --mount --pid --fork --mount-proc="$work/root/proc" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$work/root" "$@"
}

try() {  # NAME FILE: installs and uses it as packaging/try/NAME.sh says
  local seconds=$SECONDS
  rm -rf --one-file-system "$work/root"
  mkdir "$work/root"
  tar -C "$work/root" -xf "$work/bare.tar"
  cp --dereference /etc/resolv.conf /etc/hosts "$work/root/etc"
  cp "$packages"/$2 "$here/try/$1.sh" "$here/try/solve.py" "$work/CMakeLists.txt" "$work/root/root"
  if ! inside bash -euo pipefail -c "cd /root && bash -euo pipefail $1.sh" >"$work/log" 2>&1; then
    cat "$work/log"
    echo "try: $1 failed" >&2
    return 1
  fi
  tail -n 1 "$work/log"
  echo "$(basename "$packages"/$2): installed and used, $((SECONDS - seconds)) s"
}
try command 'shortfall_*.deb'
try library 'libshortfall-dev_*.deb'
try python 'python3-shortfall_*.deb'
try wheel '*.whl'
