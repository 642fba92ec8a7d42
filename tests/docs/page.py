"""Pages of documentation as what a reader does: commands, programs, files and outputs.

A page is plain Markdown. Its fenced blocks mean:

    ```console            lines that begin with "$ " are commands, "> " continues one, and what
                          follows is its output, standard error included
    ```python             a part of one program, which the whole page makes up
    ```text               directly after such a part: what the part prints
    ```sh                 shown, but not run: what takes long, or needs other machines
    ```toml plan.toml     any language with a name behind it: a file of that name

A line "..." in an output stands for any number of lines, which are not shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

_OPENING = re.compile(r"(`{3,})(\S*)(?: +(\S+))? *$")


class BadPage(Exception):
    pass


@dataclass
class Command:
    """A line of the shell, or a part of the page's Python program, with its output."""

    source: str
    expected: list[str]
    where: str  # file and line, for messages
    language: str  # "console" or "python"


@dataclass
class File:
    name: str
    text: str
    where: str


Step = Union[Command, File]


@dataclass
class Page:
    path: Path
    parts: list[str | Command] = field(
        default_factory=list
    )  # lines of text, and commands, in order
    steps: list[Step] = field(default_factory=list)

    def text(self) -> str:
        lines: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                lines.append(part)
            elif part.language == "python":
                lines += part.expected
            else:
                first, *rest = part.source.split("\n")
                lines += [f"$ {first}"] + [f"> {line}" for line in rest] + part.expected
        return "\n".join(lines) + "\n"


def _console(page: Page, body: list[str], line: int) -> None:
    at = 0
    while at < len(body):
        if not body[at].startswith("$ "):
            raise BadPage(f"{page.path.name}, line {line + at}: output without a command")
        end = at + 1
        while end < len(body) and body[end].startswith("> "):
            end += 1
        source = "\n".join(text[2:] for text in body[at:end])
        out = end
        while out < len(body) and not body[out].startswith("$ "):
            out += 1
        where = f"{page.path.name}, line {line + at}"
        command = Command(source, body[end:out], where, "console")
        page.parts.append(command)
        page.steps.append(command)
        at = out


def read_page(path: Path) -> Page:
    """Every block is run, is a file, or is an output: no other is accepted."""
    page = Page(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[-1] == "":
        lines.pop()
    pending: Command | None = None  # a part of the program whose output may follow
    at = 0
    while at < len(lines):
        opening = _OPENING.match(lines[at])
        page.parts.append(lines[at])
        at += 1
        if not opening:
            if page.parts[-1] != "":
                pending = None
            continue
        fence, language, name = opening.groups()
        begin, where = at, f"{path.name}, line {at}"
        while at < len(lines) and lines[at] != fence:
            at += 1
        if at == len(lines):
            raise BadPage(f"{where}: the block does not end")
        body = lines[begin:at]
        if language == "text" and pending is not None:
            pending.expected = body
            page.parts.append(pending)
            pending = None
        elif language == "console" and not name:
            _console(page, body, begin + 1)
            pending = None
        else:
            page.parts += body
            text = "\n".join(body) + "\n"
            pending = None
            if name:
                page.steps.append(File(name, text, where))
            elif language == "python":
                pending = Command(text, [], where, "python")
                page.steps.append(pending)
            elif language != "sh" and not language.startswith("{"):  # such as a table of contents
                raise BadPage(f"{where}: '{language}' is neither run nor a file nor an output")
        page.parts.append(lines[at])
        at += 1
    return page
