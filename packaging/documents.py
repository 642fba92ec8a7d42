"""Writes changelogs and the licences of what the HTML pages contain, compressed:

documents.py CHANGELOG.md DEBIAN_CHANGELOG NODE_MODULES OUT
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

# They make and test the pages, and are not in them.
NOT_IN_PAGES = ("@esbuild", "esbuild", "playwright-core")


def compressed(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def licences_of(modules: Path) -> str:
    """Every package that may be in the pages, with the text of its licence."""
    parts = ["The HTML pages that shortfall writes contain parts of these packages.\n"]
    folders = {
        path.parent
        for path in modules.rglob("package.json")
        if path.parent.parent.name in ("node_modules",) or path.parent.parent.name.startswith("@")
    }
    for folder in sorted(folders):
        if folder.relative_to(modules).parts[0] in NOT_IN_PAGES:
            continue
        package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        parts.append(
            f"\n{'=' * 80}\n{package['name']} {package['version']}, {package['license']}\n"
        )
        texts = [
            path
            for path in sorted(folder.iterdir())
            if path.name.lower().startswith(("license", "licence"))
        ]
        parts += [text.read_text(encoding="utf-8") for text in texts]
    if len(parts) < 2:
        raise SystemExit(f"documents: no packages in {modules}")
    return "".join(parts)


def main(changes: str, debian: str, modules: str, output: str) -> None:
    out = Path(output)
    out.mkdir(parents=True, exist_ok=True)
    compressed(out / "changelog.gz", Path(changes).read_text(encoding="utf-8"))
    compressed(out / "changelog.Debian.gz", Path(debian).read_text(encoding="utf-8"))
    compressed(out / "pages-licences.gz", licences_of(Path(modules)))


if __name__ == "__main__":
    main(*sys.argv[1:])
