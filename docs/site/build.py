"""Makes the site: build.py BINARY PACKAGE

Sphinx reads a copy of docs/ within a copy of the project's tree (links to its other files), because
it also reads pages that are made from the command's grammar, from headers and from the package.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import command_pages
import cpp_pages
import documents
import links

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "docs"
NOT_LINKED = {".git", "build", "docs", "out"}


def copy_sources() -> Path:
    """The copy of docs/. Files keep their times, so that Sphinx reads only what has changed."""
    tree = OUT / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in NOT_LINKED:
            (tree / path.name).symlink_to(path)
    return Path(shutil.copytree(ROOT / "docs", tree / "docs"))


def asked(binary: str, *arguments: str) -> dict:
    result = subprocess.run([binary, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(result.stdout)


def make_pages(binary: str, reference: Path) -> None:
    sections = documents.read_documents(reference / "documents.toml")
    keys = {name: documents.key_lines(document) for name, document in sections.items()}
    command_pages.write_pages(asked(binary, "--grammar"), reference, keys)
    command_pages.write_losses(asked(binary, "losses", "--json"), reference / "losses.md")
    documents.write_page(sections, reference / "documents.md")
    cpp_pages.write_pages(ROOT / "include", reference)


def main(binary: str, package: str) -> int:
    sources = copy_sources()
    make_pages(str(Path(binary).resolve()), sources / "reference")
    environment = dict(os.environ, PYTHONPATH=str(Path(package).resolve()))
    python_pages = [sys.executable, "-B", str(ROOT / "docs" / "site" / "python_pages.py")]
    stubs, reference = ROOT / "python" / "shortfall", sources / "reference"
    subprocess.run([*python_pages, stubs, reference], env=environment, check=True)
    shutil.rmtree(OUT / "html", ignore_errors=True)
    sphinx = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-n"]
    arguments = ["-d", str(OUT / "doctrees"), str(sources), str(OUT / "html")]
    status = subprocess.run(sphinx + arguments, check=False).returncode
    faults = links.faults_of(OUT / "html")
    for fault in faults:
        print(fault)
    if status == 0 and not faults:
        print(f"{OUT.relative_to(ROOT) / 'html' / 'index.html'}: {links.count_of(OUT / 'html')}")
    return 1 if status or faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
