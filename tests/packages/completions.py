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
RULES = ["optimal", "static", "myopic", "risk-neutral", "base-stock:", "reorder:", "fixed:"]
FILES = ["fixed.csv", "pictures/", "plan a.csv"]  # in the folder where the shells are
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
    (
        "a weekday",
        f"shortfall inventory order --day we{TAB}",
        ["inventory", "order", "--day", "wed"],
    ),
    (
        "a policy of a study",
        f"shortfall study forest --policy uni{TAB}",
        ["study", "forest", "--policy", "uniform"],
    ),
    (
        "a policy of a study as file",
        f"shortfall study forest --policy pla{TAB}",
        ["study", "forest", "--policy", "plan a.csv"],
    ),
    ("a model of the library", f"shortfall study river{TAB}", ["study", "riverswim"]),
    (
        "a rule, to which parameters are added without a space",
        f"shortfall inventory simulate --policy base{TAB}15",
        ["inventory", "simulate", "--policy", "base-stock:15"],
    ),
    (
        "a whole rule to compare with, after which comes a space",
        f"shortfall inventory backtest --compare risk{TAB}x",
        ["inventory", "backtest", "--compare", "risk-neutral", "x"],
    ),
    (
        "a variant of an algorithm",
        f"shortfall study boyan --algorithm newton:{TAB}",
        ["study", "boyan", "--algorithm", "newton:as-published"],
    ),
    (
        "an algorithm with proofs",
        f"shortfall check --algorithm av{TAB}",
        ["check", "--algorithm", "averager-td"],
    ),
    (
        "a method of intervals",
        f"shortfall learn --interval-method ran{TAB}",
        ["learn", "--interval-method", "random-scaling"],
    ),
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
    (
        "every weekday",
        f"shortfall inventory order --day {ALL}",
        ["inventory", "order", "--day", "fri", "mon", "sat", "sun", "thu", "tue", "wed"],
    ),
    *(
        (
            f"every rule and file for {command} {option}",
            f"shortfall inventory {command} {option} {ALL}",
            ["inventory", command, option, *sorted([*RULES, *FILES])],
        )
        for command, option in (
            ("evaluate", "--policy"),
            ("simulate", "--policy"),
            ("report", "--policy"),
            ("order", "--compare"),
            ("backtest", "--compare"),
        )
    ),
    (
        "a file that begins as a rule does, after =",
        f"shortfall inventory report --policy=fix{ALL}",
        ["inventory", "report", "--policy=fixed.csv", "fixed:"],
    ),
    (
        "a key of a plan once",
        f"shortfall inventory solve --sweep risk.t{ALL}",
        ["inventory", "solve", "--sweep", "risk.tau="],
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
        for name in FILES:
            if name.endswith("/"):
                (Path(place) / name).mkdir()
            else:
                (Path(place) / name).touch()
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
