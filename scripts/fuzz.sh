#!/usr/bin/env bash
# Installs what is missing, builds, and fuzzes readers under libFuzzer and the sanitizers:
#   scripts/fuzz.sh [READER|all] [SECONDS]  each reader for this many seconds (30), from its stored corpus
#   scripts/fuzz.sh minimise [READER|all]   stores what was found, as few inputs as take all branches
# What a reader finds is kept in build/fuzz/found/READER, and an input that fails in
# build/fuzz/failures. Ends with 1 if there is one; build/fuzz/bin/shortfall_fuzz --reader=READER FILE
# shows it again.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh scripts/fuzz-packages.txt
scripts/build.sh release shortfall_pages  # the command embeds them

minimise=no
if [[ ${1:-} == minimise ]]; then
  minimise=yes
  shift
fi
reader=${1:-all} seconds=${2:-30}
scripts/build.sh fuzz shortfall_fuzz
fuzz=$PWD/build/fuzz/bin/shortfall_fuzz
mapfile -t readers < <(basename -s .txt tests/fuzz/corpus/*.txt)
if [[ $reader != all ]]; then
  [[ -f tests/fuzz/corpus/$reader.txt ]] || {
    echo "fuzz: no reader $reader; accepted: all, ${readers[*]}" >&2
    exit 2
  }
  readers=("$reader")
fi
# Files that readers write are in memory.
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm
# An input of a few kilobytes must not take gigabytes, nor seconds.
limits=(-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024)

# The folder with the stored inputs of a reader, a file each, as libFuzzer wants them.
unpacked() {
  rm -rf "build/fuzz/stored/$1"
  /usr/bin/python3 -B tests/fuzz/corpus.py unpack "tests/fuzz/corpus/$1.txt" "build/fuzz/stored/$1"
  echo "build/fuzz/stored/$1"
}

fuzz_one() {
  local name=$1 stored
  stored=$(unpacked "$1")
  local found=build/fuzz/found/$1 dictionary=()
  mkdir -p "$found" build/fuzz/failures build/fuzz/logs
  if [[ -f tests/fuzz/dictionaries/$name.dict ]]; then
    dictionary=(-dict="tests/fuzz/dictionaries/$name.dict")
  fi
  "$fuzz" --reader="$name" "${limits[@]}" "${dictionary[@]}" -max_total_time="$seconds" \
    -artifact_prefix="build/fuzz/failures/$name-" -print_final_stats=1 "$found" "$stored" \
    >"build/fuzz/logs/$name" 2>&1
}

# One line: the reader, how many inputs it took, how many of these are kept, how it ended.
summary_of() {
  local name=$1 status=$2 log=build/fuzz/logs/$1 inputs kept
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  kept=$(grep -oE 'corp: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
  printf '%-20s %12s inputs, %6s kept, %s\n' "$name" "${inputs:-?}" "${kept:-0}" \
    "$([[ $status == 0 ]] && echo "no failure" || echo "FAILED: build/fuzz/logs/$name")"
}

if [[ $minimise == yes ]]; then
  for name in "${readers[@]}"; do
    mkdir -p "build/fuzz/found/$name" build/fuzz/logs
    rm -rf build/fuzz/minimised
    mkdir build/fuzz/minimised
    "$fuzz" --reader="$name" "${limits[@]}" -set_cover_merge=1 -use_counters=0 \
      build/fuzz/minimised \
      "$(unpacked "$name")" "build/fuzz/found/$name" >"build/fuzz/logs/$name-merge" 2>&1
    /usr/bin/python3 -B tests/fuzz/corpus.py pack build/fuzz/minimised "tests/fuzz/corpus/$name.txt"
    echo "$name: $(wc -l <"tests/fuzz/corpus/$name.txt") inputs, $(cat build/fuzz/minimised/* | wc -c) bytes"
  done
  exit
fi

run_and_report() {
  local status=0
  fuzz_one "$1" || status=$?
  summary_of "$1" "$status"
  return "$status"
}
failed=0
running=0
for name in "${readers[@]}"; do
  if ((running == $(nproc))); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  run_and_report "$name" &
  running=$((running + 1))
done
while ((running > 0)); do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
