"""Tests of the runner itself: changes planted in the corpus must be detected."""

from __future__ import annotations

import contextlib
import io
import re
import stat
import tempfile
from pathlib import Path

import golden
from comparison import NUMBER, kinds_of_numbers, mask_times, same_line, settle
from transcript import SELECTIONS, Block, Case, read_case_file, read_case_files

DIGITS_CHECKED = 10

SAME = [
    ('"values": 26.244', '"values": 26.244000000000003'),
    ('"mean": 41.0', '"mean": 40.99999999999999'),
    ("risk   3   (mean)", "risk   2.9999999999999996   (mean)"),
    ("       0             26.244", "       0  26.24400000000001"),
    ('"error_bound": 3.2e-13,', '"error_bound": 6.1e-13,'),
    ("converged: within 3.2e-13 of exact", "converged: within 2e-13 of exact"),
    ('"error_bound": 7.3e-07,', '"error_bound": 7.36e-07,'),
    ("within 9.9e-07 of exact", "within 1e-06 of exact"),
    ("within 11 of exact", "within 10 of exact"),
    ("cannot certify 1e-30, only 3.2e-13; allow", "cannot certify 1e-30, only 4e-13; allow"),
    ("  40.47158  14  5.8e-09  3", "  40.47158  14  5.9e-09  3"),
    ("  40.47158  14  5.8e-11  3", "  40.47158  14  9.9e-11  3"),
    ('"residual": 1.7763568394002505e-15', '"residual": 0.0'),
    ('"gap_percent": 1.4611616187310137e-08,', '"gap_percent": 1.4611649310124581e-08,'),
    ('"gap_percent": 0.0,', '"gap_percent": 2e-14,'),
]

DIFFERENT = [
    ('"values": 26.244', '"values": 26.2440000003'),
    ('"values": 26.244', '"values": -26.244'),
    ('"iterations": 3,', '"iterations": 4,'),
    ("bad.csv, line 2, column cost", "bad.csv, line 3, column cost"),
    ('"error_bound": 3.2e-13,', '"error_bound": 7.2e-13,'),
    ('"error_bound": 3.2e-13,', '"error_bound": 0.0,'),
    ('"error_bound": 7.35e-07,', '"error_bound": 7.45e-07,'),
    ("within 9.8e-07 of exact", "within 1e-06 of exact"),
    ("  40.47158  14  5.8e-09  3", "  40.47158  14  6.0e-09  3"),
    ("accepted: 1 within 1e-06", "accepted: 1 within 2e-06"),
    ('"residual": 4.0', '"residual": 4.0000001'),
    ('"gap_percent": 0.033408758,', '"gap_percent": 0.033408759,'),
    ('"error_bound": 3.2e-13,', '"error_bound": null,'),
    ("--tolerance is 1e-30", "--tolerance is 2e-30"),
    ("converged", "Converged"),
    ("a b", "a  b"),
    ("a  1.5", "a 1.5"),
    ("a 1.5 b", "a 1.5  b"),
    ("version 0.2.0", "version 0.2.1"),
    ("  order 16.", "  order 17."),
    ("", "  "),
]

MASKED = [
    ('  "seconds": 0.000139,', '  "seconds": <time>,'),
    ('  "seconds": 1e-05', '  "seconds": <time>'),
    ("of exact, 3 iterations, 0.000139 s", "of exact, 3 iterations, <time> s"),
    ("table-m3: 1.2 s; 3 confirmed", "table-m3: <time> s; 3 confirmed"),
    ("within 1e-06 of exact. 12 s", "within 1e-06 of exact. <time> s"),
    ("  n      s  x\n  1  0.084  2\n\n  3  4", "  n  s  x\n  1  <time>  2\n\n  3  4"),
    ("  n       s\n  1  10.084", "  n  s\n  1  <time>"),
    ("  n  seconds  x\n  1    0.084  2", "  n  seconds  x\n  1  <time>  2"),
    ("2 seconds between checkpoints", "2 seconds between checkpoints"),
    ("3 s of text", "3 s of text"),
]


def _demand(is_true: bool, what: str) -> None:
    if not is_true:
        raise AssertionError(what)


def _planted(line: str, start: int, number: str) -> list[str]:
    """Copies of the line, each with one of the number's first digits changed."""
    lines = []
    significant = 0
    for i, digit in enumerate(number):
        if digit == "e" or significant == DIGITS_CHECKED:
            break
        if not digit.isdigit():
            continue
        significant += significant > 0 or digit != "0"
        at = start + i
        lines.append(f"{line[:at]}{(int(digit) + 1) % 10}{line[at + 1:]}")
    return lines


def rule_of_comparison() -> str:
    for a, b in SAME:
        _demand(same_line(a, b) and same_line(b, a), f"not the same: {a!r}, {b!r}")
    for a, b in DIFFERENT:
        _demand(not same_line(a, b) and not same_line(b, a), f"the same: {a!r}, {b!r}")
    for text, masked in MASKED:
        _demand(mask_times(text) == masked, f"{text!r} is masked as {mask_times(text)!r}")
    _demand(settle(["a", "x 1.5"], ["b", "x 1.5000000000001"]) == ["b", "x 1.5"], "settle")
    _demand(settle(["1.5", "2.5"], ["1.5"]) == ["1.5"], "a missing line is not detected")
    return f"{len(SAME) + len(DIFFERENT) + len(MASKED)} examples of the rule"


def every_digit_of_the_corpus() -> str:
    count = 0
    lines = {
        line
        for file in read_case_files(golden.HERE / "cases")
        for case in file.cases
        for block in case.blocks
        for line in block.expected
    }
    for line in lines:
        kinds = kinds_of_numbers(line)
        for match in NUMBER.finditer(line):
            kind = kinds.get(match.start(), "value")
            if kind == "value":
                planted = _planted(line, match.start(), match.group())
            else:
                beyond = f"{3.0 * float(match.group()) + 1e-9:.17g}"
                planted = [line[: match.start()] + beyond + line[match.end() :]]
            for changed in planted:
                _demand(not same_line(line, changed), f"undetected: {line!r}, {changed!r}")
            count += len(planted)
    _demand(count > 1000, "the corpus has no numbers")
    return f"{count} planted digits"


def _golden(*arguments: str) -> tuple[int, str]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = golden.main(list(arguments))
    return code, output.getvalue()


def comparing_and_updating() -> str:
    """With a fake command that prints its arguments."""
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        folder = Path(name)
        command = folder / "command"
        command.write_text('#!/bin/sh\necho "value $1"\necho "within $2 of" >&2\nexit $3\n')
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
        file = folder / "cases.txt"
        arguments = (str(command), "--cases", name)

        def recorded(text: str) -> str:
            return (
                "# A comment.\n\n== a case\n$ shortfall 12.345678 1e-10 2\n"
                f"{text}\n$ true\nexit 0\n"
            )

        file.write_text(recorded(""))
        _demand(_golden(*arguments)[0] == 1, "a command without a record passes")
        _demand(_golden(*arguments, "--update")[0] == 0, "--update fails")
        right = recorded("  value 12.345678\n! within 1e-10 of\nexit 2\n")
        _demand(file.read_text() == right, f"recorded: {file.read_text()}")
        _demand(_golden(*arguments)[0] == 0, "what was recorded does not pass")
        close = right.replace("12.345678\n!", "12.34567800000001\n!").replace("in 1e", "in 1.5e")
        file.write_text(close)
        _demand(_golden(*arguments, "--update")[0] == 0, "--update fails")
        _demand(file.read_text() == close, "--update changes what counts as the same")
        for old, new in (
            ("value 12.345678", "value 12.345679"),
            ("! within", "! Within"),
            ("! within 1e-10 of\n", ""),
            ("exit 2", "exit 1"),
            ("  value 12.345678\n", ""),
        ):
            file.write_text(right.replace(old, new))
            code, text = _golden(*arguments)
            _demand(code == 1 and "FAILED cases: a case" in text, f"undetected: {new!r}")
            _golden(*arguments, "--update")
            _demand(file.read_text() == right, f"not repaired: {new!r}")
    return "recording, comparing, repairing"


def _plant(block: Block) -> bool:
    """Changes one digit of the first value with at least six."""
    for i, line in enumerate(block.expected):
        for match in NUMBER.finditer(line):
            planted = _planted(line, match.start(), match.group())
            if match.start() not in kinds_of_numbers(line) and len(planted) >= 6:
                block.expected[i] = planted[5]
                return True
    return False


def real_cases(binary: Path) -> str:
    """One digit in the first case of each file that has a value."""
    names = []
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        for file in read_case_files(golden.HERE / "cases"):
            case = next((c for c in file.cases if any(_plant(block) for block in c.blocks)), None)
            if case is None:
                continue
            copy = Path(name) / file.path.name
            copy.write_text(file.text(), encoding="utf-8")
            code, text = _golden(str(binary), "--cases", name, f"{case.file}: {case.name}")
            _demand(code == 1, f"a planted digit passes in {case.file}: {case.name}")
            _demand(len(re.findall(r"\n-[ !] ", text)) == 1, f"more than a digit differs:\n{text}")
            names.append(case.name)
            copy.unlink()
    _demand(len(names) >= 5, "too few files have values")
    return f"a digit planted in each of {len(names)} real cases"


def selections() -> str:
    """Every command is part of the selection for sanitizers, and both have the sizes they should."""
    every = [case for file in read_case_files(golden.HERE / "cases") for case in file.cases]
    chosen = [case for case in every if "sanitized" in case.chosen]
    missing = set().union(*map(_commands, every)) - set().union(*map(_commands, chosen))
    _demand(not missing, f"not in the selection for sanitizers: {missing}")
    sizes = {name: sum(len(case.blocks) for case in every if name in case.chosen)
             for name in SELECTIONS}
    _demand(sizes["sanitized"] >= 100 and sizes["vectors"] >= 60, f"selections of {sizes}")
    return f"selections of {sizes}"


def _commands(case: Case) -> set[str]:
    """The commands that a case runs, such as "solve" and "inventory fit"."""
    return {command for block in case.blocks if block.expected[-1] == "exit 0"
            for command in re.findall(r"shortfall (inventory [a-z]+|(?!inventory)[a-z]+)",
                                      block.shell())}


def round_trip() -> str:
    files = read_case_files(golden.HERE / "cases")
    for file in files:
        _demand(file.text() == file.path.read_text(encoding="utf-8"), f"{file.path.name} changes")
        _demand(read_case_file(file.path).parts == file.parts, f"{file.path.name} is not stable")
    return f"{len(files)} case files read and written"


def run(binary: Path) -> int:
    for said in (
        rule_of_comparison(),
        round_trip(),
        selections(),
        every_digit_of_the_corpus(),
        comparing_and_updating(),
        real_cases(binary),
    ):
        print(f"ok: {said}")
    return 0
