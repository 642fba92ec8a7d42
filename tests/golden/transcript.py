"""Case files: commands with their outputs. golden.py describes the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_EXIT = re.compile(r"exit -?\d+$")
_NO_LINE_END = "\\ no line end"
_CHOSEN = "# chosen: "
SELECTIONS = ("sanitized", "vectors")


class BadCaseFile(Exception):
    pass


@dataclass
class Block:
    """A command and its output, as the lines of the file from "$" to "exit"."""

    command: list[str]
    expected: list[str]  # empty: not recorded yet

    def shell(self) -> str:
        return "\n".join(line[2:] for line in self.command)


@dataclass
class Case:
    """Commands that run in order in one scratch folder."""

    file: str
    name: str
    blocks: list[Block] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)  # the selections that it is part of

    def matches(self, pattern: str) -> bool:
        texts = [f"{self.file}: {self.name}"] + [block.shell() for block in self.blocks]
        return any(pattern in text for text in texts)


@dataclass
class CaseFile:
    path: Path
    parts: list[str | Block]  # lines and blocks, in order
    cases: list[Case]

    def text(self) -> str:
        lines: list[str] = []
        for part in self.parts:
            lines += [part] if isinstance(part, str) else part.command + part.expected
        return "\n".join(lines) + "\n"


def output_lines(stdout: str, stderr: str, exit_code: int) -> list[str]:
    """An output as the lines of a block."""
    lines: list[str] = []
    for text, prefix in ((stdout, "  "), (stderr, "! ")):
        if not text:
            continue
        has_end = text.endswith("\n")
        for line in (text[:-1] if has_end else text).split("\n"):
            lines.append((prefix + line) if line or prefix == "! " else "")
        if not has_end:
            lines.append(_NO_LINE_END)
    return lines + [f"exit {exit_code}"]


def _is_output(line: str) -> bool:
    return line == "" or line.startswith(("  ", "! ")) or line == _NO_LINE_END


def _read_block(lines: list[str], at: int, where: str) -> tuple[Block, int]:
    end = at + 1
    while end < len(lines) and lines[end].startswith("> "):
        end += 1
    command = lines[at:end]
    exit_line = end
    while exit_line < len(lines) and _is_output(lines[exit_line]):
        exit_line += 1
    if exit_line < len(lines) and _EXIT.match(lines[exit_line]):
        return Block(command, lines[end : exit_line + 1]), exit_line + 1
    if any(lines[end:exit_line]):
        raise BadCaseFile(f"{where}, line {exit_line + 1}: the output does not end with 'exit N'")
    return Block(command, []), end


def read_case_file(path: Path) -> CaseFile:
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[-1] == "":
        lines.pop()
    file = CaseFile(path, [], [])
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("$ ") and file.cases:
            block, at = _read_block(lines, at, path.name)
            file.cases[-1].blocks.append(block)
            file.parts.append(block)
            continue
        if line.startswith("== "):
            file.cases.append(Case(path.stem, line[3:]))
        elif line.startswith(_CHOSEN) and file.cases:
            file.cases[-1].chosen = line[len(_CHOSEN) :].split(", ")
            if not set(file.cases[-1].chosen) <= set(SELECTIONS):
                raise BadCaseFile(f"{path.name}, line {at + 1}: no such selection; accepted: "
                                  + ", ".join(SELECTIONS))
        elif line and not line.startswith("#"):
            raise BadCaseFile(f"{path.name}, line {at + 1}: not a case, command or comment")
        file.parts.append(line)
        at += 1
    return file


def read_case_files(directory: Path) -> list[CaseFile]:
    return [read_case_file(path) for path in sorted(directory.glob("*.txt"))]
