"""When two outputs of the command count as equal; golden.py states the rule."""

from __future__ import annotations

import difflib
import math
import re

_NUMBER_PATTERN = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
NUMBER = re.compile(rf"(?<![\w.])({_NUMBER_PATTERN})(?!\w|\.\d)")

# Numbers that are not plain values: recognised in JSON by their keys, in text by the words around
# them, in tables by their format (a cell such as 8.1e-09).
_KINDS = {
    "bound": re.compile(
        rf'"(?:\w*error_bound|gap_error_percent|distance_to_singularity)": ?({_NUMBER_PATTERN})'
        rf"|within ({_NUMBER_PATTERN}) of"
        rf"|, only ({_NUMBER_PATTERN});"
        rf"|± ({_NUMBER_PATTERN})"
        r"|(?<=  )(\d\.\de-\d\d)(?=  |$)"
    ),
    "residual": re.compile(rf'"residual": ?({_NUMBER_PATTERN})'),
    "gap": re.compile(rf'"(?:last_)?gap_percent": ?({_NUMBER_PATTERN})'),
}


def kinds_of_numbers(line: str) -> dict[int, str]:
    """The kind of each number that is not a plain value, by its position."""
    return {
        match.start(match.lastindex or 0): kind
        for kind, pattern in _KINDS.items()
        for match in pattern.finditer(line)
    }


def _is_integer(number: str) -> bool:
    return number.lstrip("-").isdigit()


def _last_digit(number: str) -> float:
    """One unit of the last significant digit, of at least two: {:.2g} prints 1.0 as 1."""
    digits = len(number.partition("e")[0].replace(".", "").lstrip("-0"))
    return 10.0 ** (math.floor(math.log10(abs(float(number)))) + 1 - max(digits, 2))


def _same_bound(a: str, b: str) -> bool:
    x, y = float(a), float(b)
    if min(x, y) <= 0.0:
        return x == y
    if max(x, y) <= 1e-9:
        return max(x, y) <= 2.0 * min(x, y)
    # The factor absorbs the rounding error of this subtraction.
    return abs(x - y) <= max(0.01 * x, 1.0000001 * min(_last_digit(a), _last_digit(b)))


def same_number(a: str, b: str, kind: str = "value") -> bool:
    if a == b:
        return True
    if kind == "bound":
        return _same_bound(a, b)
    if _is_integer(a) and _is_integer(b):
        return False
    x, y = float(a), float(b)
    if math.isinf(x) or math.isinf(y):
        return False
    floor = {"residual": 1e-13, "gap": 1e-10}.get(kind, 0.0)
    return abs(x - y) <= max(1e-11 * max(abs(x), abs(y)), floor)


def same_line(expected: str, actual: str) -> bool:
    """Equal up to the last digits of numbers, and the blanks that right-align them."""
    if expected == actual:
        return True
    # re.split yields text, number, text, number, ..., text.
    parts, others = NUMBER.split(expected), NUMBER.split(actual)
    if len(parts) != len(others):
        return False
    kinds = kinds_of_numbers(expected)
    position = 0
    for i in range(0, len(parts) - 1, 2):
        text, other_text = parts[i], others[i]
        number, other = parts[i + 1], others[i + 1]
        if text != other_text:
            aligned = len(text) + len(number) == len(other_text) + len(other)
            if not aligned or text.rstrip(" ") != other_text.rstrip(" "):
                return False
        position += len(text)
        if not same_number(number, other, kinds.get(position, "value")):
            return False
        position += len(number)
    return parts[-1] == others[-1]


def _shape(line: str) -> str:
    """The line without its numbers."""
    return re.sub(" +", " ", NUMBER.sub("#", line))


def settle(expected: list[str], actual: list[str]) -> list[str]:
    """The actual lines, where lines that count as equal are replaced by the expected ones.

    The outputs agree if and only if the result is the expected lines. Otherwise it is what a diff
    should show and --update should write.
    """
    settled = list(actual)
    matcher = difflib.SequenceMatcher(
        None, [_shape(line) for line in expected], [_shape(line) for line in actual], autojunk=False
    )
    for i, j, size in matcher.get_matching_blocks():
        for k in range(size):
            if same_line(expected[i + k], actual[j + k]):
                settled[j + k] = expected[i + k]
    return settled


_JSON_TIME = re.compile(rf'("seconds": ?){_NUMBER_PATTERN}')
# "3 iterations, 0.000139 s" at the end of a line, "table-m3: 1.2 s; 3 confirmed".
_TEXT_TIME = re.compile(rf"(?<=[ ,]){_NUMBER_PATTERN} (s|seconds)(?=$|;)", re.MULTILINE)
_TIME_COLUMN = re.compile(r"(?<=  )(?:s|seconds)(?=  |$)")


def _mask_time_columns(lines: list[str]) -> None:
    """Masks table columns headed "s" or "seconds", whose width depends on the times."""
    right = None
    for i, line in enumerate(lines):
        header = _TIME_COLUMN.search(line)
        if header:
            right = header.end()
            lines[i] = f"{line[: header.start()].rstrip()}  {header.group()}{line[right:]}"
        elif right is None or not line.strip():
            right = None
        else:
            cell = re.search(r" +[\d.]+$", line[:right])
            if cell:
                lines[i] = f"{line[: cell.start()]}  <time>{line[right:]}"


def mask_times(text: str) -> str:
    text = _JSON_TIME.sub(r"\1<time>", text)
    text = _TEXT_TIME.sub(r"<time> \1", text)
    lines = text.split("\n")
    _mask_time_columns(lines)
    return "\n".join(lines)
