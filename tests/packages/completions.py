"""Completes lines in real shells: completions.py MANUAL, the folder that packaging/manual.py wrote.

Each case has the keys behind "shortfall ", and what must be on the line afterwards. ESC * inserts all
completions of a word (bash only), TAB what they have in common. A last case shows that a difference
would be found. offers.py holds the words themselves against what the command accepts.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from terminal import Shell

TAB, ALL = "\t", "\033*"
FILES = ["fixed.csv", "pictures/", "plan a.csv"]  # in the folder where the shells are
LOSSES = "entropic: expectile: mean piecewise: soft-quantile: truncated-entropic:"
RULES = "base-stock: fixed.csv fixed: myopic optimal pictures/ 'plan a.csv' reorder: risk-neutral static"

# The keys, what the line becomes, and the kind of thing that is completed.
BOTH = [
    (f"eval{TAB}", "evaluate", "a command"),
    (f"inventory back{TAB}", "inventory backtest", "a command of a group"),
    (f"solve --tole{TAB}", "solve --tolerance", "an option"),
    (f"inventory order --sol{TAB}", "inventory order --solution", "an option of a group's command"),
    (f"solve --method gauss{TAB}", "solve --method gauss-seidel", "a word"),
    (f"inventory order --day to{TAB}", "inventory order --day today", "a word beside others"),
    (f"study boyan --algorithm newton:{TAB}", "study boyan --algorithm newton:as-published", "after :"),
    (f"risk --loss expe{TAB}0.9", "risk --loss expectile:0.9", "a beginning: no space follows"),
    (f"risk --loss me{TAB}x", "risk --loss mean x", "a whole word: a space follows"),
    (f"inventory solve --set cost.short{TAB}5", "inventory solve --set cost.shortage=5", "a key"),
    (f"inventory simulate --policy base{TAB}15", "inventory simulate --policy base-stock:15", "a rule"),
    (f"risk --loss mean pla{TAB}", "risk --loss mean 'plan a.csv'", "a file as argument"),
    (f"solve m.csv --policy-out pla{TAB}", "solve m.csv --policy-out 'plan a.csv'", "a file"),
    (f"study forest --policy uni{TAB}", "study forest --policy uniform", "a word where files are"),
    (f"study forest --policy pla{TAB}", "study forest --policy 'plan a.csv'", "a file beside words"),
    (f"study river{TAB}", "study riverswim", "a word as argument"),
    (f"reproduce all table-r{TAB}", "reproduce all table-runtime", "a word as later argument"),
    (f"reproduce all --out p{TAB}x", "reproduce all --out pictures/x", "only directories"),
    (f"solve --gamma pla{TAB}", "solve --gamma pla", "nothing for a number"),
]
BASH = [
    (f"risk --loss {ALL}", f"risk --loss {LOSSES}", "all losses"),
    (f"solve --s{ALL}", "solve --state-names --sweep", "all options that begin so"),
    (f"solve --see{ALL}", "solve --see", "no option that the help does not list"),
    (f"solve --method=gauss{TAB}", "solve --method=gauss-seidel", "the value after ="),
    (f"risk --loss=soft{TAB}0,1", "risk --loss=soft-quantile:0,1", "a beginning after ="),
    (f"inventory order --compare {ALL}", f"inventory order --compare {RULES}", "words and files"),
    (f"inventory report --policy=fix{ALL}", "inventory report --policy=fixed.csv fixed:", "after ="),
    (f"inventory solve --sweep risk.t{ALL}", "inventory solve --sweep risk.tau=", "a key once"),
]


def faults_of(shell: Shell, name: str, cases: list) -> list[str]:
    faults = []
    for keys, line, title in cases:
        words = shell.words_of("shortfall " + keys)
        if words != shlex.split(line):
            faults.append(f"{name}, {title}: {keys!r} became {words}; expected {line}")
    return faults


def main(manual: str) -> int:
    folder = Path(manual).resolve()
    bash = f"bind 'set bell-style none'; source '{folder}/bash/shortfall'\n"
    zsh = (
        f"fpath=('{folder}/zsh' $fpath); autoload -U compinit; compinit -D -u; "
        "unsetopt zle_bracketed_paste 2>/dev/null; bindkey -e\n"
    )
    shells = [("bash --norc --noprofile -i", bash, BOTH + BASH)]
    if shutil.which("zsh"):
        shells.append(("zsh -f -i", zsh, BOTH))
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as place:
        for name in FILES:
            path = Path(place) / name
            path.mkdir() if name.endswith("/") else path.touch()
        for command, setup, cases in shells:
            shell = Shell(command.split(), setup, place)
            faults += faults_of(shell, command, cases)
            if not faults_of(shell, command, [(f"eval{TAB}", "evaluat", "self-test")]):
                faults.append(f"{command}: a wrong expectation was not noticed")
            shell.close()
            count += len(cases)
    print("\n".join(faults) or f"{count} lines completed in {len(shells)} shells")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
