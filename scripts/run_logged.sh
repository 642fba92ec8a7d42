#!/usr/bin/env bash
# Runs a command with its output in a log and one line of progress: run_logged.sh LOG TEXT COMMAND...
# On a terminal the line shows where the command is; elsewhere TEXT is printed once, and the time at
# the end. If the command fails, the end of its log is printed. All of it on standard error.
set -euo pipefail
log=$1 text=$2
shift 2
mkdir -p "$(dirname "$log")"
start=$SECONDS
# In a process group of its own, so that an interrupt ends all of it.
set -m
"$@" >"$log" 2>&1 </dev/null &
command=$!
set +m
trap 'kill -- "-$command" 2>/dev/null; exit 130' INT TERM
if [[ -t 2 ]]; then
  while kill -0 "$command" 2>/dev/null; do
    # Ninja begins its lines with [done/all].
    at=$(tail -n 1 "$log" 2>/dev/null | grep -oE '^\[[0-9]+/[0-9]+\]' || true)
    printf '\r\033[K%s %s (%d s)' "$text" "$at" $((SECONDS - start)) >&2
    sleep 0.5
  done
  printf '\r\033[K' >&2
else
  echo "$text" >&2
fi
status=0
wait "$command" || status=$?
if [[ $status -ne 0 ]]; then
  tail -n 40 "$log" >&2
  echo "$text failed after $((SECONDS - start)) s; the whole log: $log" >&2
  exit "$status"
fi
echo "$text: done in $((SECONDS - start)) s" >&2
