#!/usr/bin/env bash
# Writes the pages to test: make_pages.sh SHORTFALL EXAMPLES DIRECTORY
set -euo pipefail
shortfall=$1 examples=$2 directory=$3
rm -rf "$directory"
mkdir -p "$directory"
page() { "$shortfall" inventory report "$examples/$1" --out "$directory/$2" "${@:3}"; }

"$shortfall" reproduce all --quick --out "$directory"
page platelets3.toml platelets3.html --csv "$directory/csv"
page platelets.toml platelets.html --replications 2000
# Seven days, two digits per order, a loss without levels.
page platelets3.toml week.html --replications 500 --set inventory.capacity=40 \
  --set demand.mean=[7,7,7,7,6,4,4] --set risk.loss=piecewise:-1:-0.5,0:0,1:2
# Closed on Sundays, deliveries by weekday, a price.
page london.toml london.html --replications 500 --tolerance 0.001 --set inventory.capacity=15 \
  --set inventory.max_order=[15,15,15,15,15,15,0]
