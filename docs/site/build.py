"""Makes the site: build.py BINARY PACKAGE OUT, in OUT/html.

Sphinx reads a copy of docs/ within a copy of the project's tree (links to its other files), because
it also reads pages that are made from the command's grammar, from headers and from the package.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import command_pages
import cpp_pages
import documents
import links
import theme

ROOT = Path(__file__).resolve().parents[2]
NOT_LINKED = {".git", "build", "docs", "out"}
# What a page of the reference tells readers of the repository, where its tables are missing.
_IN_THE_REPOSITORY = re.compile(r"<!-- REPOSITORY -->\n.*?<!-- /REPOSITORY -->\n\n", re.DOTALL)


def copy_sources(out: Path) -> Path:
    """The copy of docs/. Files keep their times, so that Sphinx reads only what has changed."""
    tree = out / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in NOT_LINKED:
            (tree / path.name).symlink_to(path)
    return Path(shutil.copytree(ROOT / "docs", tree / "docs"))


def asked(binary: str, *arguments: str) -> dict:
    result = subprocess.run([binary, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(result.stdout)


def drop_notes(reference: Path) -> None:
    for page in reference.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        kept = _IN_THE_REPOSITORY.sub("", text)
        if "REPOSITORY -->" in kept:
            raise SystemExit(f"{page.name}: a note for the repository that is not closed")
        if kept != text:
            page.write_text(kept, encoding="utf-8")


def make_pages(binary: str, reference: Path) -> None:
    drop_notes(reference)
    sections = documents.read_documents(reference / "documents.toml")
    keys = {name: documents.key_lines(document) for name, document in sections.items()}
    command_pages.write_pages(asked(binary, "--grammar"), reference, keys)
    command_pages.write_losses(asked(binary, "losses", "--json"), reference / "losses.md")
    documents.write_page(sections, reference / "documents.md")
    cpp_pages.write_pages(ROOT / "include", reference)


def run_sphinx(sources: Path, out: Path) -> int:
    shutil.rmtree(out / "html", ignore_errors=True)
    sphinx = [sys.executable, "-B", "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-n"]
    arguments = ["-d", str(out / "doctrees"), str(sources), str(out / "html")]
    return subprocess.run(sphinx + arguments, check=False).returncode


def main(binary: str, package: str, output: str) -> int:
    out = Path(output).resolve()
    sources = copy_sources(out)
    make_pages(str(Path(binary).resolve()), sources / "reference")
    python_pages = [sys.executable, "-B", str(ROOT / "docs" / "site" / "python_pages.py")]
    environment = dict(os.environ, PYTHONPATH=str(Path(package).resolve()))
    pages = [ROOT / "python" / "shortfall", sources / "reference"]
    subprocess.run([*python_pages, *pages], env=environment, check=True)
    status = run_sphinx(sources, out)
    theme.make_self_contained(out / "html" / "_static")
    faults = links.faults_of(out / "html")
    for fault in faults:
        print(fault)
    if status == 0 and not faults:
        print(f"{output}/html/index.html: {links.count_of(out / 'html')}")
    return 1 if status or faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
