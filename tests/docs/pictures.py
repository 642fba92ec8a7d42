"""Compares a stored picture of a notebook with the one that was drawn now.

Numbers may differ by what nobody sees, and matplotlib's ids, which depend on their digits, do not count.
Other versions of matplotlib draw differently: they are told from a stale picture by the name of the
version that is in the file.
"""

from __future__ import annotations

import re

_INVISIBLE = 0.01  # points
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)")


def drawer_of(svg: str) -> str:
    """The program that drew it, with its version; empty if the file does not say."""
    found = re.search(r"<dc:title>([^<]*)</dc:title>", svg)
    return found.group(1) if found else ""


def _with_counted_ids(svg: str) -> str:
    """Ids are named by their order."""
    names = dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))
    order = {name: f"id-{'x' * number}-" for number, name in enumerate(names)}
    svg = re.sub(r'\bid="([^"]+)"', lambda m: f'id="{order[m.group(1)]}"', svg)
    return re.sub(r"#([\w-]+)", lambda m: f"#{order.get(m.group(1), m.group(1))}", svg)


def _are_close(a: str, b: str) -> bool:
    return a == b or abs(float(a) - float(b)) <= _INVISIBLE


def first_change(stored: str, drawn: str) -> str:
    """Where the pictures differ, as a message; empty if they look the same."""
    # At odd places are numbers.
    a, b = (_NUMBER.split(_with_counted_ids(svg)) for svg in (stored, drawn))
    for at, (old, new) in enumerate(zip(a, b)):
        if not (_are_close(old, new) if at % 2 else old == new):
            before = "".join(b[max(at - 6, 0) : at])[-60:]
            return f"{old[:60]!r} is {new[:60]!r} after {before!r}"
    return "" if len(a) == len(b) else f"{len(a) // 2} numbers are {len(b) // 2}"
