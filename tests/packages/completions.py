"""Completes lines in real shells: completions.py MANUAL, the folder that packaging/manual.py wrote.

Each case has the keys, and the words that must be on the line afterwards. ESC * inserts all
completions of a word (bash only), TAB what they have in common. A last case shows that a difference
would be found.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from terminal import Shell

TAB, ALL = "\t", "\033*"
LOSSES = ["mean", "expectile:", "entropic:", "truncated-entropic:", "soft-quantile:", "piecewise:"]

BOTH = [
    ("a command", f"shortfall eval{TAB}", ["evaluate"]),
    ("a command of a group", f"shortfall inventory back{TAB}", ["inventory", "backtest"]),
    ("an option", f"shortfall solve --tole{TAB}", ["solve", "--tolerance"]),
    (
        "an option of a group's command",
        f"shortfall inventory order --sol{TAB}",
        ["inventory", "order", "--solution"],
    ),
    (
        "a word that an option accepts",
        f"shortfall solve --method gauss{TAB}",
        ["solve", "--method", "gauss-seidel"],
    ),
    (
        "a loss, to which parameters are added without a space",
        f"shortfall risk --loss expe{TAB}0.9",
        ["risk", "--loss", "expectile:0.9"],
    ),
    (
        "a whole loss, after which comes a space",
        f"shortfall risk --loss me{TAB}x",
        ["risk", "--loss", "mean", "x"],
    ),
    (
        "a key of a plan",
        f"shortfall inventory solve --set cost.short{TAB}5",
        ["inventory", "solve", "--set", "cost.shortage=5"],
    ),
    (
        "a file as argument",
        f"shortfall risk --loss mean pla{TAB}",
        ["risk", "--loss", "mean", "plan a.csv"],
    ),
    (
        "a file as value of an option",
        f"shortfall solve m.csv --policy-out pla{TAB}",
        ["solve", "m.csv", "--policy-out", "plan a.csv"],
    ),
    (
        "only directories",
        f"shortfall reproduce all --out p{TAB}x",
        ["reproduce", "all", "--out", "pictures/x"],
    ),
    ("nothing for a number", f"shortfall solve --gamma pla{TAB}", ["solve", "--gamma", "pla"]),
    ("a study by name", f"shortfall reproduce table-r{TAB}", ["reproduce", "table-runtime"]),
]
BASH = [
    ("all losses", f"shortfall risk --loss {ALL}", ["risk", "--loss", *sorted(LOSSES)]),
    (
        "all options that begin so",
        f"shortfall solve --s{ALL}",
        ["solve", "--state-names", "--sweep"],
    ),
    ("no option that the help does not list", f"shortfall solve --see{ALL}", ["solve", "--see"]),
    (
        "the value after =",
        f"shortfall solve --method=gauss{TAB}",
        ["solve", "--method=gauss-seidel"],
    ),
    ("a loss after =", f"shortfall risk --loss=soft{TAB}0,1", ["risk", "--loss=soft-quantile:0,1"]),
]


def faults_of(shell: Shell, name: str, cases: list) -> list[str]:
    faults = []
    for title, keys, expected in cases:
        words = shell.words_of(keys)
        if words != expected:
            faults.append(f"{name}, {title}: {keys!r} became {words}; expected {expected}")
    return faults


def main(manual: str) -> int:
    folder = Path(manual).resolve()
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "plan a.csv").touch()
        (Path(place) / "pictures").mkdir()
        shells = [
            (
                "bash",
                ["bash", "--norc", "--noprofile", "-i"],
                f"bind 'set bell-style none'; source '{folder}/bash/shortfall'\n",
                BOTH + BASH,
            )
        ]
        if shutil.which("zsh"):
            shells.append(
                (
                    "zsh",
                    ["zsh", "-f", "-i"],
                    f"fpath=('{folder}/zsh' $fpath); autoload -U compinit; compinit -D -u; "
                    "unsetopt zle_bracketed_paste 2>/dev/null; bindkey -e\n",
                    BOTH,
                )
            )
        faults, count = [], 0
        for name, command, setup, cases in shells:
            shell = Shell(command, setup, place)
            faults += faults_of(shell, name, cases)
            if not faults_of(shell, name, [("self-test", f"shortfall eval{TAB}", ["evaluat"])]):
                faults.append(f"{name}: a wrong expectation was not noticed")
            shell.close()
            count += len(cases)
        print("\n".join(faults) or f"{count} lines completed in {', '.join(s[0] for s in shells)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
