"""Holds the reference of JSON documents (docs/site/documents.py) against documents that the command
prints: those of the golden corpus, and those of the commands below.

    documents.py BINARY              exits with 1 if a key is printed but not described, or the reverse
    documents.py BINARY --self-test  also checks that planted differences are found
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs" / "site"), str(ROOT / "tests" / "golden")]
from command_text import read_grammar  # noqa: E402
from documents import Document, read_documents  # noqa: E402
from transcript import read_case_files  # noqa: E402

SOURCE = ROOT / "docs" / "reference" / "documents.toml"

# What the corpus does not print as JSON.
STREAM = "learn {examples}/boyan_stream.csv --loss mean --gamma 0.9 --algorithm newton --warmup 50"
FURTHER = [
    "inventory fit {examples}/records.csv --shelf-life 5",
    "inventory fit {examples}/records.csv --shelf-life 5 --distribution empirical",
    STREAM + " --confidence 0.95 --at {folder}/states.csv",
    STREAM + " --checkpoint {folder}/learned --predictions {folder}/p.csv --bad-rows {folder}/bad.csv",
    "show {folder}/learned --confidence 0.95 --at {folder}/states.csv",
    "study {examples}/forest.csv --policy uniform --gamma 0.9 --loss mean --samples 2000 --out {folder}",
    "inventory report {examples}/platelets3.toml --records {folder}/records.csv --periods 10 --replications 10 --out {folder}/plan.html",
    "inventory report {examples}/platelets3.toml --set inventory.capacity=6 --set arrival.c0=[[1,0.5],[1,0.4],[1,0.5],"
    "[1,0.5],[1,0.5],[1,0.5],[1,0.5]] --periods 10 --replications 10 --out {folder}/plan.html",
    "reproduce figure-policies --quick --out {folder}/reproduction",
    "convert {examples}/forest.csv {folder}/forest.bin",
    "show {folder}/forest.bin",
]


def _paths(value: object, prefix: str, found: set[str]) -> None:
    if isinstance(value, dict):
        for key, each in value.items():
            path = f"{prefix}.{key}" if prefix else key
            found.add(path)
            _paths(each, path, found)
    elif isinstance(value, list):
        for each in value:
            _paths(each, f"{prefix}[]", found)


def _texts(lines: list[str]) -> list[str]:
    """The documents of an output: one over all lines, or one per line."""
    whole = "\n".join(lines)
    return [whole] if not all(line.startswith("{") for line in lines) else lines


def printed_paths() -> dict[str, set[str]]:
    """The keys of all recorded documents, by command."""
    found: dict[str, set[str]] = {}
    for file in read_case_files(ROOT / "tests" / "golden" / "cases"):
        for case in file.cases:
            for block in case.blocks:
                match = re.match(r"(?:.*\| *)?shortfall (inventory \S+|\S+)", block.shell())
                lines = [line[2:] for line in block.expected if line.startswith("  ")]
                if not match or not lines or not lines[0].startswith("{"):
                    continue
                for text in _texts(lines):
                    try:
                        document = json.loads(text.replace("<time>", "0"))
                    except json.JSONDecodeError:
                        continue  # what another program made of it
                    _paths(document, "", found.setdefault(match.group(1), set()))
    return found


def run_further(binary: str, found: dict[str, set[str]]) -> None:
    with tempfile.TemporaryDirectory(prefix="documents-") as folder:
        (Path(folder) / "states.csv").write_text("x1,x2,x3,x4\n1,0,0,0\n")
        rows = [f"2026-02-{day:02d},{day % 3},{day % 2}" for day in range(1, 29)]
        (Path(folder) / "records.csv").write_text("\n".join(["date,demand,ordered", *rows]) + "\n")
        for words in FURTHER:
            arguments = words.format(examples=ROOT / "examples", folder=folder).split() + ["--json"]
            result = subprocess.run(
                [binary, *arguments], check=True, capture_output=True, text=True
            )
            command = " ".join(arguments[:2]) if arguments[0] == "inventory" else arguments[0]
            _paths(json.loads(result.stdout), "", found.setdefault(command, set()))


def differences(described: dict[str, Document], printed: dict[str, set[str]]) -> list[str]:
    messages = []
    for command, paths in sorted(printed.items()):
        if command not in described:
            messages.append(f"{command}: not described at all")
            continue
        document = described[command]
        used = set()
        for path in sorted(paths):
            key = document.key_of(path)
            if key is None:
                messages.append(f"{command}: {path} is printed but not described")
            else:
                used.add(key)
        unused = set(document.keys) - used
        messages += [f"{command}: {key} is described but not printed" for key in sorted(unused)]
    messages += [
        f"{command}: no document was recorded" for command in described if command not in printed
    ]
    return messages


def self_test(
    described: dict[str, Document], printed: dict[str, set[str]], grammar: dict
) -> int:
    for command in printed:
        more = copy.deepcopy(printed)
        more[command].add("planted")
        fewer = copy.deepcopy(described)
        fewer[command].keys["planted"] = "x"
        for pair in ((described, more), (fewer, printed)):
            if len(differences(*pair)) != 1:
                print(f"{command}: a planted key is not found")
                return 1
    # A field that is added to the list of a result is described wherever the result occurs.
    for result in grammar["results"]:
        if result["name"] == "BacktestPolicy":
            result["fields"].append(
                {"key": "planted", "type": "int", "meaning": "x", "in_documents": "always"}
            )
    more = read_documents(SOURCE, grammar)
    if differences(more, printed) != [
        "inventory backtest: policies.*.planted is described but not printed"
    ]:
        print("a field that is added to the list of a result is not described")
        return 1
    print(f"ok: {2 * len(printed) + 1} planted keys")
    return 0


def main(arguments: list[str]) -> int:
    grammar = read_grammar(arguments[0])
    described = read_documents(SOURCE, grammar)
    printed = printed_paths()
    run_further(arguments[0], printed)
    messages = differences(described, printed)
    print(
        "\n".join(messages) or f"{sum(map(len, printed.values()))} keys of {len(printed)} documents"
    )
    if messages:
        return 1
    return self_test(described, printed, grammar) if "--self-test" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
