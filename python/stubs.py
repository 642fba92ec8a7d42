"""Writes the classes of results in shortfall/inventory.pyi from the field lists of the library:

    stubs.py BINARY    with `shortfall --grammar`
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).resolve().parent / "shortfall" / "inventory.pyi"
BEGIN = "# Results, written by python/stubs.py.\n"
END = "# End of results.\n"
# They have more than their fields, and are written by hand.
BY_HAND = {"Inventory", "InventorySolution", "Simulation", "Training"}


def results_of(binary: str) -> list[dict]:
    result = subprocess.run([binary, "--grammar"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(result.stdout)["results"]


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


def main(binary: str) -> None:
    STUB.write_text(with_results(STUB.read_text(), results_of(binary)))


if __name__ == "__main__":
    main(*sys.argv[1:])
