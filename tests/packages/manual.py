"""Reads the manual pages as users' tools do: manual.py BINARY MANUAL

Every command and every option that its help lists has an entry; mandoc and man, where installed, find
nothing to warn about, though they do in a page that has been spoiled. prose.py reads the sentences.
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

from prose import faults_of_prose, unnoticed_faults


def warnings_of(page: Path) -> list[str]:
    tools = []
    if shutil.which("mandoc"):
        tools.append(["mandoc", "-T", "lint", "-W", "warning", str(page)])
    if shutil.which("man"):
        tools.append(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)])
    found = []
    environment = dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80", MANROFFSEQ="")
    for tool in tools:
        run = subprocess.run(tool, env=environment, check=False, capture_output=True, text=True)
        told = run.stdout + run.stderr if tool[0] == "mandoc" else run.stderr
        found += [f"{tool[0]}: {line}" for line in told.splitlines()]
    if not tools:
        found.append("neither mandoc nor man is installed")
    return found


def missing_entries(grammar: dict, folder: Path) -> list[str]:
    faults = []
    for command in [*grammar["commands"], *grammar["groups"]]:
        name = "-".join([grammar["program"], *command["name"].split()])
        page = folder / f"{name}.1.gz"
        if not page.exists():
            faults.append(f"{name}(1) is missing")
            continue
        text = gzip.decompress(page.read_bytes()).decode().replace("\\-", "-")
        entries = set(re.findall(r"^\.(?:B|BI) (?:-h, )?(--[a-z-]+)", text, re.MULTILINE))
        of_a_group = [{"name": "--help", "listed": True}]
        options = command.get("options", of_a_group)
        listed = {option["name"] for option in options if option["listed"]}
        if entries != listed:
            faults.append(f"{name}(1): options {sorted(entries ^ listed)} are not in both")
    return faults


def spoiled_page_is_noticed(page: Path) -> bool:
    with tempfile.TemporaryDirectory() as place:
        spoiled = Path(place) / "spoiled.1"
        spoiled.write_text(gzip.decompress(page.read_bytes()).decode() + ".XX\n.TP\n")
        return bool(warnings_of(spoiled))


def main(binary: str, manual: str) -> int:
    answer = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE)
    grammar = json.loads(answer.stdout)
    folder = Path(manual) / "man1"
    faults = missing_entries(grammar, folder)
    pages = sorted(folder.iterdir())
    for page in pages:
        faults += [f"{page.name}: {warning}" for warning in warnings_of(page)]
        faults += [f"{page.name}: {fault}" for fault in faults_of_prose(page)]
    faults += unnoticed_faults()
    if not spoiled_page_is_noticed(pages[0]):
        faults.append("a spoiled page was not noticed")
    grammar["commands"][0]["options"].append(dict(grammar["options"][0], name="--no-such"))
    if not missing_entries(grammar, folder):
        faults.append("a missing option was not noticed")
    print("\n".join(faults) or f"{len(pages)} manual pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
