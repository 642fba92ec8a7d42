"""The sentences of a manual page, apart from what roff does with them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

DOCUMENTS = "/usr/share/doc/shortfall"
# What shortfall-learn(1) tells those who run it as a service.
LEARN = ("SIGTERM", "SIGINT", "exit status 0", "--resume-at-row", "must be sent again")


def sections_of(source: str) -> dict[str, str]:
    """The lines of each section, by its title."""
    text = source.replace("\\-", "-").replace("\\&", "")
    parts = re.split(r"^\.SH (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"^\.(PP|nf|fi|TP)\n", "", text, flags=re.MULTILINE).split())


def _faults_of_entries(title: str, text: str) -> list[str]:
    """Each entry has a tag, a line with its meaning, and perhaps a line of facts."""
    faults = []
    for entry in text.split(".TP\n")[1:]:
        tag, meaning, *facts = entry.rstrip("\n").split("\n")
        for fact in facts:
            if re.match(r"[a-z]", fact):
                faults.append(f"{title}, {tag}: a sentence begins in lower case: {fact}")
            if "repeated" in fact.lower() and re.search(r"repeat|twice", meaning):
                faults.append(f"{title}, {tag}: it may be repeated, said twice")
        if re.search(r"(?<![\w/])examples/", meaning):
            faults.append(f"{title}, {tag}: a path that begins in no known folder: {meaning}")
    return faults


def faults_of_source(source: str) -> list[str]:
    sections = sections_of(source)
    faults = []
    for title, text in sections.items():
        faults += _faults_of_entries(title, text)
        if re.search(r"\b(one of|are|is)\.$", text, re.MULTILINE):
            faults.append(f"{title}: a full stop where a list begins")
    name, purpose = _plain(sections["NAME"]).split(" - ", 1)
    description = _plain(sections["DESCRIPTION"])
    more = re.sub(re.escape(purpose), "", description, flags=re.IGNORECASE).strip(" .:")
    if len(more) < 40:
        faults.append(f"DESCRIPTION says no more than NAME: {description}")
    if not re.search(r"^\.B -h, --help$", sections.get("OPTIONS", ""), re.MULTILINE):
        faults.append("OPTIONS does not have -h")
    examples = sections.get("EXAMPLES", "")
    if "examples/" in examples and f"in {DOCUMENTS}." not in examples:
        faults.append("EXAMPLES does not say where they are")
    if name == "shortfall-learn":
        whole = _plain(source.replace("\\-", "-"))
        faults += [f"nothing is said of: {fact}" for fact in LEARN if fact not in whole]
    return faults


def faults_of_prose(page: Path) -> list[str]:
    return faults_of_source(gzip.decompress(page.read_bytes()).decode())


_SPOILED = r""".TH X 1
.SH NAME
shortfall\-learn \- learn a value
.SH DESCRIPTION
Learn a value.
.SH OPTIONS
.TP
.B \-\-help
Print this help.
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
"""


def unnoticed_faults() -> list[str]:
    """Each check can fail: the page above has every fault."""
    found = "\n".join(faults_of_source(_SPOILED))
    kinds = [
        *("lower case", "said twice", "no known folder", "full stop", "no more than NAME"),
        *("not have -h", "not say where", "nothing is said of: SIGTERM"),
    ]
    return [f"a planted fault was not noticed: {kind}" for kind in kinds if kind not in found]
