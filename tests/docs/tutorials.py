"""Runs pages of the documentation, and compares what is printed with what they show.

    tutorials.py BINARY PAGE...                compares, prints a diff per failing step, exits with 1
    tutorials.py BINARY PAGE... --update       writes what is printed into the pages
    tutorials.py BINARY --self-test            checks that planted changes are detected
      --package DIR    folder of the Python package
      --install BUILD  build folder whose library is installed for the programs of a page

page.py describes pages, outputs.py the comparison. A page runs in a folder of its own, with a copy of
the project's examples/ and nothing else. A command that fails must be followed by "echo $?". A page
in a folder `notebooks` is also a notebook of Jupyter with pictures, as notebook.py describes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import notebook
from outputs import difference, is_shown, shown
from page import BadPage, Command, File, Page, read_page
from session import Failed, Session


def _may_fail(page: Page, at: int) -> bool:
    following = page.steps[at + 1] if at + 1 < len(page.steps) else None
    return isinstance(following, Command) and following.source == "echo $?"


def run_page(page: Page, session: Session, update: bool) -> list[str]:
    """What differs, as messages. With `update`, the page then shows what is printed."""
    messages = []
    for at, step in enumerate(page.steps):
        if isinstance(step, File):
            session.write(step.name, step.text)
            continue
        printed, status = session.run(step.language, step.source)
        if status != 0 and not _may_fail(page, at):
            messages.append("\n".join([f"{step.where}: exit code {status}", *printed]))
            break
        if is_shown(step.expected, printed):
            continue
        messages.append(f"{step.where}: {step.source}\n{difference(step.expected, printed)}")
        if update:
            step.expected = shown(step.expected, printed)
    return messages


def run_pages(pages: list[Page], options: argparse.Namespace, prefix: Path | None) -> int:
    """The number of pages that differ."""

    def run(page: Page) -> tuple[list[str], float]:
        start = time.monotonic()
        is_notebook = page.path.parent.name == "notebooks"
        within = "docs/notebooks" if is_notebook else "."
        with tempfile.TemporaryDirectory(prefix="tutorial-") as name:
            folder = Path(name)
            session = Session(folder, options.binary.resolve(), options.package, prefix, within)
            try:
                messages = run_page(page, session, options.update)
                if is_notebook:
                    messages += notebook.compare(page, folder / "work" / within, options.update)
            except (BadPage, Failed) as error:
                messages = [f"{page.path.name}: {error}"]
            finally:
                session.close()
        return messages, time.monotonic() - start

    failed = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for page, (messages, seconds) in zip(pages, pool.map(run, pages)):
            failed += bool(messages)
            for message in messages:
                print(f"\n{'CHANGED' if options.update else 'FAILED'} {message}")
            if options.update and page.text() != page.path.read_text(encoding="utf-8"):
                page.path.write_text(page.text(), encoding="utf-8")
            commands = sum(isinstance(step, Command) for step in page.steps)
            print(f"{page.path.name}: {commands} commands, {seconds:.1f} s", flush=True)
    return failed


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binary", type=Path, help="the shortfall command")
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--package", type=lambda text: Path(text).resolve())
    parser.add_argument("--install", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_intermixed_args(arguments)
    if options.self_test:
        import self_test_tutorials

        return self_test_tutorials.run(options.binary)
    try:
        pages = [read_page(path) for path in options.pages]
    except BadPage as error:
        parser.error(str(error))
    with tempfile.TemporaryDirectory(prefix="installed-") as name:
        prefix = None
        if options.install:
            prefix = Path(name)
            install = ["cmake", "--install", str(options.install), "--prefix", name]
            subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        failed = run_pages(pages, options, prefix)
    print(f"{len(pages)} pages, {failed} {'updated' if options.update else 'failed'}")
    if failed and not options.update:
        print("If these changes are intended, write them into the pages: scripts/tutorials.sh")
    return 1 if failed and not options.update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
