"""Sphinx: how the blocks of pages look, which tests/docs/page.py describes."""

from __future__ import annotations

import re

from pygments.lexers.shell import BashSessionLexer
from sphinx.errors import ExtensionError

_NAMED = re.compile(r"^(`{3,})([\w+-]+) +([\w./-]+)$", re.MULTILINE)


class CommandsAndOutputs(BashSessionLexer):
    """Only lines that begin with "$ " are commands: an output may begin with #."""

    _ps1rgx = re.compile(r"^(\$ )(.*\n?)")


def _check_commands(app, docname: str, source: list[str]) -> None:
    """Colours must not lose a word of what readers copy."""
    for block in re.findall(r"^```console\n(.*?)^```$", source[0], re.MULTILINE | re.DOTALL):
        tokens = CommandsAndOutputs(stripnl=False).get_tokens(block)
        if "".join(text for _, text in tokens) != block:
            raise ExtensionError(f"{docname}: highlighting changes this block:\n{block}")


def _show_names(app, docname: str, source: list[str]) -> None:
    """The name of a block that is a file, such as ```toml plan.toml, stands above it."""
    source[0] = _NAMED.sub(r"\1{code-block} \2\n:caption: \3\n", source[0])


def setup(app) -> dict[str, bool]:
    app.add_lexer("console", CommandsAndOutputs)
    app.connect("source-read", _check_commands)
    app.connect("source-read", _show_names)
    return {"parallel_read_safe": True}
