#!/usr/bin/env bash
# Measures what building and testing cost from nothing: clones the last commit into an empty folder,
# runs scripts/demo.sh there, then scripts/test.sh and scripts/test.sh --deep, and prints the processor
# seconds of each (all processes together), the minutes, and the ten most expensive files. All files are listed in
# build/build_time.txt. Processor seconds hardly depend on what else the machine does; minutes do.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
list=$PWD/build/build_time.txt
: >"$list"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q . "$folder/clone"

# Every compilation runs through this launcher, which notes its processor seconds and its output.
export CMAKE_CXX_COMPILER_LAUNCHER="$folder/timed"
cat >"$CMAKE_CXX_COMPILER_LAUNCHER" <<LAUNCHER
#!/usr/bin/env bash
output=unknown
for ((i = 1; i < \$#; ++i)); do
  [[ \${!i} != -o ]] || output=\${@:i+1:1}
done
TIMEFORMAT='%U %S'
exec 3>&1 4>&2
seconds=\$({ time "\$@" >&3 2>&4; } 2>&1)
status=\$?
awk -v output="\$output" '{ printf "%.2f %s\n", \$1 + \$2, output }' <<<"\$seconds" >>"$list"
exit \$status
LAUNCHER
chmod +x "$CMAKE_CXX_COMPILER_LAUNCHER"

TIMEFORMAT='%U %S %R'
for script in demo.sh test.sh "test.sh --deep"; do
  # shellcheck disable=SC2086  # a script and its argument
  { time "$folder/clone/scripts/"$script >"$folder/log" 2>&1; } 2>"$folder/time" || {
    tail -n 40 "$folder/log" >&2
    exit 1
  }
  awk -v script="$script" '{ printf "scripts/%s: %.0f processor seconds, %.1f minutes\n",
    script, $1 + $2, $3 / 60 }' "$folder/time"
done
echo "The ten most expensive compilations, in processor seconds:"
sort -rn "$list" | head -n 10
