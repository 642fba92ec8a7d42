"""The finished site needs no network and no server: what its pages, style sheets and scripts load is
within it. Sphinx itself refuses links to pages and anchors that do not exist.

    links.py FOLDER          prints what is wrong, exits with 1 if anything is
    links.py --self-test     checks that planted faults are found
"""

from __future__ import annotations

import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself; <a href> may lead to other sites.
_LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
_IN_STYLES = re.compile(r"(?:url\(|@import (?=[\"']))([^);]*)")
_MODULE = re.compile(r"^import .* from |^export ", re.MULTILINE)


class _Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.loaded += [value for key, value in attributes if value and key == _LOADED.get(tag)]


def faults_of(folder: Path) -> list[str]:
    faults, scripts = [], set()
    for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.css")]):
        text = path.read_text(encoding="utf-8")
        loaded = _Page(text).loaded if path.suffix == ".html" else _IN_STYLES.findall(text)
        for address in (each.strip("\"' ") for each in loaded):
            parts = urlsplit(address)
            target = path.parent / unquote(parts.path) if parts.path else path
            is_within = not (parts.scheme or parts.netloc or parts.path.startswith("/"))
            if parts.scheme != "data" and not (is_within and target.is_file()):
                faults.append(f"{path.relative_to(folder)}: {address} is not within the site")
            elif target.suffix == ".js":
                scripts.add(target.resolve())
    for path in sorted(scripts):
        if _MODULE.search(path.read_text(encoding="utf-8")):
            faults.append(f"{path.name}: modules are not loaded from disk")
    return faults


def count_of(folder: Path) -> str:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{len(list(folder.rglob('*.html')))} pages, {size / 1e6:.1f} MB"


def self_test() -> int:
    planted = {
        "a.html": '<img src="p.png">',
        "b.html": '<script src="https://example.org/x.js"></script>',
        "c.html": '<link href="//example.org/font.css">',
        "d.css": "@import url(/javascript/x.css);",
        "d2.css": "@import 'absent.css';",
        "e.js": 'import X from "./x.js";',
    }
    good = '<script src="e.js"></script><a href="https://example.org/">x</a><img src="data:,">'
    for name in ["", *planted]:
        with tempfile.TemporaryDirectory(prefix="links-") as place:
            folder = Path(place)
            (folder / "e.js").write_text("let x = 1;")
            (folder / "good.html").write_text(good)
            if name:
                (folder / name).write_text(planted[name])
            found = faults_of(folder)
        if len(found) != bool(name):
            print(f"{name}: found {found}")
            return 1
    print(f"ok: {len(planted)} planted faults")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found_faults = faults_of(Path(sys.argv[1]))
    print("\n".join(found_faults) or count_of(Path(sys.argv[1])))
    sys.exit(1 if found_faults else 0)
