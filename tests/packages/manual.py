"""Reads the manual pages as users do: manual.py BINARY MANUAL

Every command and every option that its help lists has an entry; the sentences are whole; mandoc and
man, where installed, find nothing to warn about. A page with every fault shows that each is found.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Faults of a page, and how they look. An entry has a tag, a line with its meaning, and maybe facts.
FAULTS = {
    "a sentence begins in lower case": r"^\.TP\n.*\n.*\n[a-z]",
    "that it may be repeated is said twice": r"^\.TP\n.*\n.*(repeat|twice).*\n.*[Rr]epeated",
    "a path that begins in no known folder": r"^\.TP\n.*\n.*(?<![\w/])examples/",
    "a full stop where a list begins": r"\b(one of|are|is|Accepted)\.$",
    "EXAMPLES does not say where they are": r"^\.SH EXAMPLES\n\.nf\n(.*\n)*?.* examples/",
    "DESCRIPTION says no more than NAME": r"- (?i:(.*)\n(.*\n)*\.SH DESCRIPTION\n\1.{0,40}\n\.SH)",
}
# What shortfall-learn(1) tells those who run it as a service, and every page.
LEARN = ("SIGTERM", "SIGINT", "exit status 0", "--resume-at-row", "must be sent again")
EVERY = (".SH DESCRIPTION\n", ".B -h, --help\n")

SPOILED = r""".TH X 1
.SH NAME
shortfall\-learn \- learn a value
.SH DESCRIPTION
Learn a value.
.SH OPTIONS
.TP
.BI \-\-set " TEXT"
Set a key; may be repeated.
May be repeated.
.TP
.B key
A key of examples/plan.toml.
integer from 1 to 10; required.
.SH LOSSES
It is written as one of.
.SH EXAMPLES
.nf
shortfall learn examples/stream.csv
.fi
.XX
.TP
"""


def text_of(page: Path) -> str:
    return gzip.decompress(page.read_bytes()).decode()


def faults_of_text(source: str) -> list[str]:
    text = source.replace("\\-", "-").replace("\\&", "")
    faults = [fault for fault, look in FAULTS.items() if re.search(look, text, re.MULTILINE)]
    wanted = EVERY + (LEARN if "\nshortfall-learn - " in text else ())
    return faults + [f"nothing is said of: {each}" for each in wanted if each not in text]


def warnings_of(source: str) -> list[str]:
    found = []
    environment = dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80", MANROFFSEQ="")
    with tempfile.NamedTemporaryFile("w", suffix=".1") as page:
        page.write(source)
        page.flush()
        mandoc = ["mandoc", "-T", "lint", "-W", "warning", page.name]
        man = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page.name]
        tools = [tool for tool in (mandoc, man) if shutil.which(tool[0])]
        for tool in tools:
            run = subprocess.run(tool, env=environment, check=False, capture_output=True, text=True)
            told = run.stderr + (run.stdout if tool is mandoc else "")
            found += [f"{tool[0]}: {line}" for line in told.splitlines()]
    return found if tools else ["neither mandoc nor man is installed"]


def missing_entries(grammar: dict, folder: Path) -> list[str]:
    faults = []
    for command in [*grammar["commands"], *grammar["groups"]]:
        page = folder / f"{'-'.join([grammar['program'], *command['name'].split()])}.1.gz"
        if not page.exists():
            faults.append(f"{page.name} is missing")
            continue
        text = text_of(page).replace("\\-", "-")
        entries = set(re.findall(r"^\.(?:B|BI) (?:-h, )?(--[a-z-]+)", text, re.MULTILINE))
        options = command.get("options", [{"name": "--help", "listed": True}])
        listed = {option["name"] for option in options if option["listed"]}
        if entries != listed:
            faults.append(f"{page.name}: options {sorted(entries ^ listed)} are not in both")
    return faults


def main(binary: str, manual: str) -> int:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    grammar = json.loads(answer.stdout)
    folder = Path(manual) / "man1"
    faults = missing_entries(grammar, folder)
    pages = sorted(folder.iterdir())
    for page in pages:
        found = warnings_of(text_of(page)) + faults_of_text(text_of(page))
        faults += [f"{page.name}: {fault}" for fault in found]
    found = faults_of_text(SPOILED)
    planted = [*FAULTS, "nothing is said of: SIGTERM", "nothing is said of: .B -h, --help\n"]
    faults += [f"not noticed: {fault}" for fault in planted if fault not in found]
    if not warnings_of(SPOILED):
        faults.append("a spoiled page was not noticed")
    grammar["commands"][0]["options"].append(dict(grammar["options"][0], name="--no-such"))
    if not missing_entries(grammar, folder):
        faults.append("a missing option was not noticed")
    print("\n".join(faults) or f"{len(pages)} manual pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
