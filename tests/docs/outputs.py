"""Whether an output is what a page shows. Numbers and times count as in the golden corpus."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "golden"))
from comparison import mask_times, same_line  # noqa: E402

GAP = "..."


def _masked(lines: list[str]) -> list[str]:
    return mask_times("\n".join(lines)).split("\n") if lines else []


def _segments(lines: list[str]) -> list[list[str]]:
    """What is shown, between gaps."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line == GAP:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _same(expected: list[str], actual: list[str]) -> bool:
    return len(expected) == len(actual) and all(map(same_line, expected, actual))


def is_shown(expected: list[str], actual: list[str]) -> bool:
    """Whether what is shown is the output, but for gaps."""
    actual = _masked(actual)
    first, *others = [_masked(part) for part in _segments(expected)]
    if not others:
        return _same(first, actual)
    *middle, last = others
    if len(first) + len(last) > len(actual) or not _same(first, actual[: len(first)]):
        return False
    end = len(actual) - len(last)
    if not _same(last, actual[end:]):
        return False
    at = len(first)
    for part in middle:
        while at + len(part) <= end and not _same(part, actual[at : at + len(part)]):
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return True


def shown(expected: list[str], actual: list[str]) -> list[str]:
    """The output with the gaps of what was shown: as many lines at each place, from where they are
    most alike. All of it if that is not possible.
    """
    if is_shown(expected, actual):
        return expected
    first, *others = _segments(expected)
    if not others or not actual:
        return actual
    *middle, last = others
    end = len(actual) - len(last)
    at = len(first)
    result = actual[:at]
    for part in middle:
        places = range(at, max(end - len(part), at) + 1)
        at = max(places, key=lambda i: _likeness(part, actual[i : i + len(part)]))
        result += [GAP] + actual[at : at + len(part)]
        at += len(part)
    result += [GAP] + (actual[end:] if last else [])
    return result if is_shown(result, actual) else actual


def _likeness(a: list[str], b: list[str]) -> float:
    return difflib.SequenceMatcher(None, "\n".join(a), "\n".join(b), autojunk=False).ratio()


def difference(expected: list[str], actual: list[str]) -> str:
    lines = difflib.unified_diff(expected, actual, "shown", "printed", n=2, lineterm="")
    return "\n".join(lines)
