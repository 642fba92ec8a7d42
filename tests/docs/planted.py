"""What the tests of the runners share."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable


def demand(is_true: bool, what: str) -> None:
    if not is_true:
        raise AssertionError(what)


def run_main(main: Callable[[list[str]], int], *arguments: str) -> tuple[int, str]:
    """The exit code of a runner, and what it prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = main(list(arguments))
    return code, output.getvalue()
