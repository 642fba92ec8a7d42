"""Writes the classes of results and the lists of words in the stubs, from those of the library:

    stubs.py BINARY    with `shortfall --grammar`
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "shortfall"
BEGIN = "# Results, written by python/stubs.py.\n"
END = "# End of results.\n"
BEGIN_WORDS = "# Words, written by python/stubs.py.\n"
END_WORDS = "# End of words.\n"
LINE_LENGTH = 100
# They have more than their fields, and are written by hand.
BY_HAND = {"Inventory", "InventorySolution", "Simulation", "Training"}


def grammar_of(binary: str) -> dict:
    result = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(result.stdout)


def type_of(field: dict) -> str:
    """Lists of numbers are arrays."""
    return field["type"].replace("list[float]", "NDArray[np.float64]")


def class_of(result: dict) -> str:
    lines = [f"class {result['name']}:"]
    for field in result["fields"]:
        lines += ["    @property", f"    def {field['key']}(self) -> {type_of(field)}: ..."]
    return "\n".join([*lines, "    def to_dict(self) -> dict[str, object]: ...", ""])


def with_results(stub: str, results: list[dict]) -> str:
    """The stub with the classes of all results between its two comments."""
    classes = [class_of(result) for result in results if result["name"] not in BY_HAND]
    before, after = stub[: stub.index(BEGIN)], stub[stub.index(END) :]
    return before + BEGIN + "\n" + "\n".join(classes) + "\n" + after


def words_line(name: str, words: list[str]) -> str:
    listed = ", ".join(f'"{word}"' for word in words)
    line = f"_{name} = Literal[{listed}]"
    return line if len(line) <= LINE_LENGTH else f"_{name} = Literal[\n    {listed}\n]"


def with_words(stub: str, words: dict[str, list[str]]) -> str:
    """The stub with those lists of words between its two comments that it uses."""
    before, after = stub[: stub.index(BEGIN_WORDS)], stub[stub.index(END_WORDS) :]
    used = [name for name in sorted(words) if re.search(rf"\b_{name}\b", before + after)]
    lines = [words_line(name, words[name]) for name in used]
    return before + BEGIN_WORDS + "\n".join(lines) + "\n" + after


def main(binary: str) -> None:
    grammar = grammar_of(binary)
    for name in ("__init__.pyi", "inventory.pyi"):
        stub = with_words((PACKAGE / name).read_text(), grammar["words"])
        if BEGIN in stub:
            stub = with_results(stub, grammar["results"])
        (PACKAGE / name).write_text(stub)


if __name__ == "__main__":
    main(*sys.argv[1:])
