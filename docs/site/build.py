"""Makes the site: build.py OUT, in OUT/html.

Sphinx reads a copy of docs/ within a copy of the project's tree (links to its other files), because
it also reads pages that are made from the headers.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import cpp_pages
import links
import theme

ROOT = Path(__file__).resolve().parents[2]
NOT_LINKED = {".git", "build", "docs", "out"}


def copy_sources(out: Path) -> Path:
    """The copy of docs/. Files keep their times, so that Sphinx reads only what has changed."""
    tree = out / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in NOT_LINKED:
            (tree / path.name).symlink_to(path)
    return Path(shutil.copytree(ROOT / "docs", tree / "docs"))


def add_contents(reference: Path) -> None:
    """The pages of a folder are below the page of the same name, in the order of its links."""
    for folder in ("commands", "cpp", "python"):
        page = reference / f"{folder}.md"
        text = page.read_text(encoding="utf-8")
        names = dict.fromkeys(re.findall(rf"\(({folder}/\w+)\.md", text))
        contents = ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
        page.write_text(text + "\n".join(contents), encoding="utf-8")


def run_sphinx(sources: Path, out: Path) -> int:
    shutil.rmtree(out / "html", ignore_errors=True)
    sphinx = [sys.executable, "-B", "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-n"]
    arguments = ["-d", str(out / "doctrees"), str(sources), str(out / "html")]
    return subprocess.run(sphinx + arguments, check=False).returncode


def main(output: str) -> int:
    out = Path(output).resolve()
    sources = copy_sources(out)
    cpp_pages.write_pages(ROOT / "include", sources / "reference")
    add_contents(sources / "reference")
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
