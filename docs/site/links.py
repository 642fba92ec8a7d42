"""Links of the finished site: every file and anchor exists, and nothing is loaded from elsewhere, by
pages, style sheets or scripts.

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

_IN_STYLES = re.compile(r"url\(([^)]*)\)|(?<=@import )(?:\"[^\"]*\"|'[^']*')")
_MODULE = re.compile(r"^import .* from |^export ", re.MULTILINE)


class _Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if values.get("id"):
            self.anchors.add(str(values["id"]))
        if tag == "a" and values.get("name"):
            self.anchors.add(str(values["name"]))
        if tag == "a" and values.get("href"):
            self.links.append(str(values["href"]))
        if tag in _LOADED and values.get(_LOADED[tag]):
            self.loaded.append(str(values[_LOADED[tag]]))


def _pages(folder: Path) -> dict[Path, _Page]:
    return {
        path.resolve(): _Page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
    }


def _faults_of_styles(folder: Path) -> list[str]:
    faults = []
    for path in sorted(folder.rglob("*.css")):
        for address in _IN_STYLES.findall(path.read_text(encoding="utf-8")):
            address = address.strip("\"' ")
            if address.startswith("data:"):
                continue
            if (
                address.startswith("/")
                or urlsplit(address).scheme
                or not (path.parent / address).is_file()
            ):
                faults.append(f"{path.relative_to(folder)}: {address} is not within the site")
    return faults


def _faults_of_scripts(folder: Path, pages: dict[Path, _Page]) -> list[str]:
    loaded = {
        (path.parent / each).resolve() for path, page in pages.items() for each in page.loaded
    }
    scripts = sorted(path for path in loaded if path.suffix == ".js" and path.is_file())
    return [
        f"{path.relative_to(folder.resolve())}: modules are not loaded from disk"
        for path in scripts
        if _MODULE.search(path.read_text(encoding="utf-8"))
    ]


def faults_of(folder: Path) -> list[str]:
    pages = _pages(folder)
    faults = _faults_of_styles(folder) + _faults_of_scripts(folder, pages)
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        for address in page.loaded + page.links:
            parts = urlsplit(address)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                if address in page.loaded:
                    faults.append(f"{name}: loads {address} from the network")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                faults.append(f"{name}: {address} does not exist")
            elif parts.fragment and target in pages:
                if unquote(parts.fragment) not in pages[target].anchors:
                    faults.append(f"{name}: {address} has no such anchor")
    return faults


def count_of(folder: Path) -> str:
    pages = _pages(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    links = sum(len(page.links) for page in pages.values())
    return f"{len(pages)} pages, {links} links, {size / 1e6:.1f} MB"


def self_test() -> int:
    good = '<a href="b.html#here">x</a><a href="https://example.org/">y</a><img src="p.png">'
    planted = {
        '<a href="c.html">x</a>': "does not exist",
        '<a href="b.html#there">x</a>': "no such anchor",
        '<a href="#nowhere">x</a>': "no such anchor",
        '<script src="https://example.org/x.js"></script>': "from the network",
        '<link href="//example.org/font.css">': "from the network",
        "@import url(/javascript/x.css);": "not within the site",
        'import X from "./x.js";': "not loaded from disk",
    }
    with tempfile.TemporaryDirectory(prefix="links-") as name:
        folder = Path(name)
        (folder / "b.html").write_text('<h1 id="here">b</h1>')
        (folder / "p.png").write_text("")
        for text, fault in {good: "", **planted}.items():
            (folder / "a.html").write_text(text)
            found = faults_of(folder)
            if text.startswith(("@", "import")):
                (folder / "a.js").write_text("")
                (folder / "a.html").write_text('<script src="a.js"></script>')
                file = folder / ("a.css" if text.startswith("@") else "a.js")
                file.write_text(text)
                found = faults_of(folder)
                file.unlink()
            if len(found) != bool(fault) or (fault and fault not in found[0]):
                print(f"{text}: found {found}, planted {fault!r}")
                return 1
    print(f"ok: {len(planted)} planted faults")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found_faults = faults_of(Path(sys.argv[1]))
    print("\n".join(found_faults) or count_of(Path(sys.argv[1])))
    sys.exit(1 if found_faults else 0)
