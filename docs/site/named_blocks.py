"""Sphinx: shows the name of a block that is a file, such as ```toml plan.toml, above it."""

from __future__ import annotations

import re

_NAMED = re.compile(r"^(`{3,})([\w+-]+) +([\w./-]+)$", re.MULTILINE)


def _show_names(app, docname: str, source: list[str]) -> None:
    source[0] = _NAMED.sub(r"\1{code-block} \2\n:caption: \3\n", source[0])


def setup(app) -> dict[str, bool]:
    app.connect("source-read", _show_names)
    return {"parallel_read_safe": True}
