"""Debian's Furo, made to work from disk.

Debian ships the theme's script as a module, which browsers refuse for pages on disk. Its style sheet
refers to another package by an address of a web server, and has lost the colours of readers whose
system prefers dark, who have not chosen by the button.
"""

from __future__ import annotations

import re
from pathlib import Path

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")


def make_self_contained(static: Path) -> None:
    scripts = static / "scripts"
    furo = (scripts / "furo.js").read_text(encoding="utf-8")
    imported = re.match(r'import Gumshoe from "./(gumshoe-patched\.js)";\n', furo)
    if imported:  # the other file defines it for scripts that are not modules, too
        spy = (scripts / imported.group(1)).read_text(encoding="utf-8")
        (scripts / "furo.js").write_text(spy + furo[imported.end() :], encoding="utf-8")
    style = static / "styles" / "furo.css"
    text = style.read_text(encoding="utf-8")
    text = text.replace(
        f"@import url(/javascript/{NORMALIZE.parent.name}/{NORMALIZE.name});",
        NORMALIZE.read_text(encoding="utf-8"),
    )
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*--color-background-primary[^}]*)\}', text)
    if dark and "prefers-color-scheme" not in text:
        text += (
            f"@media not print {{ @media (prefers-color-scheme: dark) {{\n"
            f'body:not([data-theme="light"]) {{{dark.group(1)}}} }} }}\n'
        )
    style.write_text(text, encoding="utf-8")
