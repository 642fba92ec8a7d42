#!/usr/bin/env bash
# Writes the pages to test: make_pages.sh SHORTFALL EXAMPLES DIRECTORY
set -euo pipefail
shortfall=$1 examples=$2 directory=$3
rm -rf "$directory"
mkdir -p "$directory"
page() { "$shortfall" inventory report "$examples/$1" --out "$directory/$2.html" "${@:3}"; }
# What the command answers for one stock, for the page to say the same.
order() { "$shortfall" inventory order "$examples/$1" --json "${@:3}" > "$directory/$2.order.json"; }

"$shortfall" reproduce all --quick --out "$directory"
page platelets3.toml platelets3 --csv "$directory/csv"
order platelets3.toml platelets3 --stock 4,1
# Own rules, and records with the rule that was in use.
page platelets.toml platelets --replications 2000 --policy base-stock:15 \
  --records "$examples/records.csv" --title Platelets --currency EUR --date "16 November 2026"
order platelets.toml platelets --stock 1,2,0,1 --compare base-stock:15
# Seven days, two digits per order, a loss without levels, closed on Sundays.
week=(--set inventory.capacity=40 --set inventory.max_order=[40,40,40,40,40,40,0]
  --set demand.mean=[7,7,7,7,6,4,4] --set risk.loss=piecewise:-1:-0.5,0:0,1:2)
page platelets3.toml week --replications 500 "${week[@]}" --policy reorder:5,14
order platelets3.toml week "${week[@]}" --stock 2,3 --day sat --compare reorder:5,14
# Closed on Sundays, deliveries by weekday, a price.
london=(--set inventory.capacity=15 --set inventory.max_order=[15,15,15,15,15,15,0])
page london.toml london --replications 500 --tolerance 0.001 "${london[@]}"
order london.toml london "${london[@]}" --stock 0,1,2,3 --day mon
# Learners: episodes and traces; a run that diverges.
"$shortfall" study boyan --loss mean --loss expectile:0.9 --algorithm td --algorithm td-lambda:0.6 \
  --algorithm newton --samples 10000 --features one-per-state --out "$directory/study"
mv "$directory/study/study.html" "$directory/boyan.html"
"$shortfall" study random --loss expectile:0.9 --gamma 0.6,0.9 --algorithm td --algorithm td:averaged \
  --step 5 --samples 5000 --out "$directory/study"
mv "$directory/study/study.html" "$directory/diverged.html"
