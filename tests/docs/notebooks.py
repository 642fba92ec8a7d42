"""Holds the notebooks of docs/notebooks against the pages that they are made from, and runs them.

    notebooks.py PAGE... --package DIR            compares, prints what differs, exits with 1
    notebooks.py PAGE... --package DIR --update   writes what is printed into the pages, and makes the
                                                  notebooks and their pictures
    notebooks.py --self-test                      checks that planted changes are detected

notebook.py describes how a notebook is made, outputs.py how outputs are compared, and pictures.py how
pictures are: a picture that another version of matplotlib drew is only said not to be compared.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cells import Outcome, run_cells
from notebook import faults_of, notebook_of, path_of, pictures_of, shows_value, text_of
from outputs import difference, is_shown
from page import BadPage, Command, Page, read_page
from pictures import drawer_of, first_change


def _shown(outcome: Outcome, source: str) -> list[str]:
    return outcome.value if shows_value(source) else outcome.printed


def _fault(outcome: Outcome, source: str) -> str:
    if outcome.error:
        return outcome.error
    if outcome.printed and outcome.value:
        return "prints and ends with a value; accepted: one of the two"
    return ""


def _stored_outputs(cell: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for output in cell["outputs"]:
        text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        lines += "".join(text).rstrip("\n").split("\n")
    return lines


def _picture_fault(stored: Path, drawn: Path) -> str:
    if not drawn.is_file() or not stored.is_file():
        return f"{stored.name}: not drawn, or not stored"
    old, new = (path.read_text(encoding="utf-8") for path in (stored, drawn))
    if drawer_of(old) != drawer_of(new):
        by = f"stored by {drawer_of(old) or 'an unknown program'}, drawn by {drawer_of(new)}"
        print(f"{stored.name}: not compared: {by}")
        return ""
    change = first_change(old, new)
    return f"{stored.name} is stale: {change}" if change else ""


def _check_runs(page: Page, notebook: dict[str, Any], package: Path) -> list[str]:
    """Runs the stored cells, and compares them with the stored outputs."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    messages = []
    with tempfile.TemporaryDirectory(prefix="notebook-") as name:
        outcomes = run_cells(sources, Path(name), package)
        for picture in pictures_of(page):
            drawn = Path(name) / "docs" / "notebooks" / picture
            if fault := _picture_fault(page.path.parent / picture, drawn):
                messages.append(fault)
    for cell, source, outcome in zip(cells, sources, outcomes):
        where, stored = f"{path_of(page).name}, {cell['id']}", _stored_outputs(cell)
        if fault := _fault(outcome, source):
            messages.append(f"{where}: {fault}")
        elif not is_shown(stored, _shown(outcome, source)):
            messages.append(f"{where}:\n{difference(stored, _shown(outcome, source))}")
    return messages


def check(page: Page, package: Path) -> list[str]:
    """What differs, as messages."""
    path = path_of(page)
    made = text_of(notebook_of(page))
    stored = path.read_text(encoding="utf-8") if path.is_file() else ""
    if made != stored:
        lines = difference(stored.split("\n"), made.split("\n"))
        return [f"{path.name} is not what {page.path.name} gives:\n{lines}"]
    notebook = json.loads(stored)
    return [f"{path.name}: {fault}" for fault in faults_of(notebook)] or _check_runs(
        page, notebook, package
    )


def update(page: Page, package: Path) -> list[str]:
    """Writes outputs into the page, and the notebook. Returns what remains wrong."""
    notebook_of(page)
    steps = [step for step in page.steps if isinstance(step, Command)]
    messages = []
    with tempfile.TemporaryDirectory(prefix="notebook-") as name:
        outcomes = run_cells([step.source for step in steps], Path(name), package)
        for picture in pictures_of(page):
            drawn = Path(name) / "docs" / "notebooks" / picture
            if drawn.is_file():
                shutil.copyfile(drawn, page.path.parent / picture)
    for step, outcome in zip(steps, outcomes):
        printed = _shown(outcome, step.source)
        if fault := _fault(outcome, step.source):
            messages.append(f"{step.where}: {fault}")
        elif printed and not any(part is step for part in page.parts):
            messages.append(f"{step.where}: has an output; put an empty ```text behind it")
        elif not is_shown(step.expected, printed):
            step.expected = printed
    page.path.write_text(page.text(), encoding="utf-8")
    path_of(page).write_text(text_of(notebook_of(page)), encoding="utf-8")
    return messages


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--package", type=lambda text: Path(text).resolve(), default=Path())
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_intermixed_args(arguments)
    if options.self_test:
        import self_test_notebooks

        return self_test_notebooks.run()

    def run(path: Path) -> tuple[list[str], float]:
        start = time.monotonic()
        try:
            messages = (update if options.update else check)(read_page(path), options.package)
        except BadPage as error:
            messages = [str(error)]
        return messages, time.monotonic() - start

    failed = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for path, (messages, seconds) in zip(options.pages, pool.map(run, options.pages)):
            failed += bool(messages)
            for message in messages:
                print(f"\nFAILED {message}")
            print(f"{path.name}: {seconds:.1f} s", flush=True)
    print(f"{len(options.pages)} notebooks, {failed} failed")
    if failed and not options.update:
        print("If these changes are intended, write them into the pages: scripts/notebooks.sh")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
