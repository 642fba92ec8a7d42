"""Arguments of plots: one result, or several by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from .. import InvalidInput

T = TypeVar("T")


def by_name(given: T | Mapping[str, T], accepted: str, attribute: str) -> dict[str, T]:
    """A single result has the empty name."""
    named = dict(given) if isinstance(given, Mapping) else {"": given}
    if not named:
        raise InvalidInput(f"an empty dictionary; accepted: name to {accepted}, at least one")
    for name, result in named.items():
        if not hasattr(result, attribute):
            raise TypeError(f"{subject('argument', name)} is of type {type(result).__name__}; "
                            f"accepted: {accepted}, or a dictionary from names to them")
    return {str(name): result for name, result in named.items()}


def subject(kind: str, name: object) -> str:
    return f"the {kind}" if name == "" else f"{kind} '{name}'"
