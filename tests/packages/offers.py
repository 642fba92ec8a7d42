"""What the completion for bash offers for options that take text: offers.py BINARY MANUAL

Every such option of the grammar offers words or files, or is known to take any text; and some that
accept words beside other values offer exactly these. Nothing is offered twice.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# Dates, numbers and names, which only the user knows.
FREE = {
    *("learn --step", "study --step", "inventory fit --since"),
    *("inventory order --stock", "inventory backtest --stock"),
    *("inventory report --title", "inventory report --currency", "inventory report --date"),
}
RULES = "optimal static myopic risk-neutral base-stock: reorder: fixed:"
EXPECTED = {
    "convert --to": "words csv binary",
    "evaluate --policy": "words-or-file uniform",
    "check --policy": "words-or-file uniform",
    "check --features": "file",
    "check --algorithm": "words td averager-td",
    "learn --interval-method": "words batch-means random-scaling",
    "study": "words-or-file boyan counterexample forest machine-replacement random riverswim",
    "study --policy": "words-or-file optimal uniform",
    "study --features": "words-or-file one-per-state",
    "study --start": "words uniform",
    "study --algorithm": "words td td:averaged td-lambda td-lambda: newton newton:as-published "
    "averager-td averager-newton",
    "inventory fit --set": "words cost.order= cost.unit= cost.holding= cost.shortage= "
    "cost.wastage= risk.loss= risk.tau= risk.gamma=",
    "inventory order --day": "words mon tue wed thu fri sat sun",
    "inventory order --compare": f"words-or-file {RULES}",
    "inventory backtest --compare": f"words-or-file {RULES}",
    "inventory evaluate --policy": f"words-or-file {RULES}",
    "inventory simulate --policy": f"words-or-file {RULES}",
    "inventory report --policy": f"words-or-file {RULES}",
    "inventory train --improvement": "words exact sampled:",
    "inventory train --features": "words polynomial relu: fourier: hats",
    "inventory train --normalisation": "words orthonormal largest standard none",
    "inventory train --step": "words fitted",
    "inventory train --paths": "words restarted separate divided",
    "inventory train --start": "words delivery empty uniform",
    "inventory train --first-weights": "words non-perishable zero",
    "inventory train --next-weights": "words carried first",
    "inventory train --draws": "words stratified per-state per-order",
}


def offers_of(script: Path, places: list[str]) -> dict[str, str]:
    """By "COMMAND --option", or "COMMAND" for its arguments."""
    program = 'source "$0"; for place; do _shortfall_value "$place"; echo; done'
    told = subprocess.run(
        ["bash", "-c", program, str(script), *places], check=True, capture_output=True, text=True
    )
    # A line of its own ends each answer, which is one line or none.
    answers = [""]
    for line in told.stdout.split("\n")[:-1]:
        if line:
            answers[-1] = line
        else:
            answers.append("")
    return dict(zip(places, answers))


def faults_of(offers: dict[str, str], expected: dict[str, str], free: set[str]) -> list[str]:
    faults = []
    for place, offer in offers.items():
        words = offer.split()[1:]
        if (offer in ("", "other")) != (place in free):
            known = "is" if place in free else "is not"
            faults.append(f"{place} offers {offer!r}, but {known} known to be free")
        if len(set(words)) < len(words):
            faults.append(f"{place} offers a word twice: {offer}")
    for place, offer in expected.items():
        if offers.get(place) != offer:
            faults.append(f"{place} offers {offers.get(place)!r}; expected {offer!r}")
    return faults


def main(binary: str, manual: str) -> int:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    places = []
    for command in json.loads(answer.stdout)["commands"]:
        places += [command["name"]] if command["arguments"] else []
        places += [
            f"{command['name']} {option['name']}"
            for option in command["options"]
            if option["type"] == "TEXT"
        ]
    offers = offers_of(Path(manual).resolve() / "bash" / "shortfall", places)
    faults = faults_of(offers, EXPECTED, FREE)
    # The checks can fail: by a word too few, one offered twice, and an option that became free.
    planted = {"study --start": "words", "convert --to": "words csv csv", "risk": ""}
    spoiled = dict(offers, **planted)
    if len(faults_of(spoiled, EXPECTED, FREE)) < len(faults) + 4:
        faults.append("spoiled offers were not noticed")
    print("\n".join(faults) or f"{len(offers)} options and arguments offer what they accept")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
