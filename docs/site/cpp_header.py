"""What a header of the library declares, with its comments as they are written.

Headers are formatted by clang-format and commented with ///, so lines are enough to find
declarations. What is private, in a namespace `detail`, or the body of a function is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Declaration:
    name: str
    comment: list[str]
    text: str


@dataclass
class Header:
    path: Path
    contract: list[str] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)


_CODE = re.compile(r"//.*$|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)'")
_TYPE = re.compile(
    r"^(?:template <.*>\s*)?(?:class|struct|enum class|enum)\s+(?:\[\[\w+\]\]\s*)?(\w+)", re.DOTALL
)


def _depth(line: str, opening: str = "({[", closing: str = ")}]") -> int:
    code = _CODE.sub("", line)
    return sum(code.count(c) for c in opening) - sum(code.count(c) for c in closing)


def _end_of(lines: list[str], at: int) -> int:
    """The line after a declaration that begins at `at`."""
    depth = 0
    for end in range(at, len(lines)):
        depth += _depth(lines[end])
        code = _CODE.sub("", lines[end]).rstrip()
        if depth == 0 and (code.endswith(";") or code.endswith("}")):
            return end + 1
    raise ValueError(f"no end of the declaration: {lines[at]}")


def _without_body(text: str) -> str:
    """The declaration of a function, without initialisers and body."""
    cut = re.search(
        r"\)(?: const| noexcept| override)*\s*(?:->[^{;]+)?(?:requires [^{;]+)?(\s*:\s+\w|\s*\{)",
        text,
    )
    if not cut:
        return text
    remark = re.search(r"  ///<.*$", text)
    return text[: cut.start(1)].rstrip() + ";" + (remark.group() if remark else "")


def _public(lines: list[str]) -> list[str]:
    """The lines of a class or struct that users may call, without bodies of functions."""
    head = next(i for i, line in enumerate(lines) if "{" in _CODE.sub("", line))
    result, at = lines[: head + 1], head + 1
    indent = re.match(r" *", lines[0]).group()
    hidden = any(re.match(r"\s*class\b", line) for line in lines[: head + 1])
    while at < len(lines) - 1:
        line = lines[at]
        if re.match(rf"{indent} (public|private|protected):", line):
            hidden = "public" not in line
            at += 1
            continue
        stripped = line.strip()
        if not stripped or stripped.startswith(("//", "#")):
            if not hidden:
                result.append(line)
            at += 1
            continue
        end = _end_of(lines, at)
        if not hidden and not re.match(r"\s*friend ", line):
            text = "\n".join(lines[at:end])
            is_type = _TYPE.match(text.strip())
            result += (
                _public(lines[at:end])
                if is_type and "{" in text and "enum" not in text.split("{")[0]
                else _without_body(text).split("\n")
            )
        at = end
    while result[-1].strip() == "" or result[-1].strip().startswith("///"):
        result.pop()
    return result + [lines[-1]]


def _name_of(text: str) -> str:
    if match := _TYPE.match(text):
        return match.group(1)
    if match := re.search(r"\bconcept (\w+)", text) or re.search(r"\busing (\w+) =", text):
        return match.group(1)
    if match := re.search(r"(operator\S+?|\w+)\(", text):
        return match.group(1)
    match = re.search(r"(\w+)(?:\{|\s*=|;)", text)
    return match.group(1) if match else ""


def _declaration(lines: list[str], comment: list[str]) -> Declaration | None:
    text = "\n".join(lines)
    name = _name_of(text)
    match = _TYPE.match(text)
    if (
        re.match(
            r"(class|struct|enum class) \w+;|friend |static_assert|extern template|using namespace",
            text,
        )
        or not name
    ):
        return None
    if match and "{" in text and not re.match(r"(template <.*>\s*)?enum", text):
        text = "\n".join(_public(lines))
    elif not match and not re.search(r"\bconcept |\busing ", text):
        text = _without_body(text)
    return Declaration(name, comment, text)


def read_header(path: Path) -> Header:
    header = Header(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    at, comment, opened = 0, [], False
    while at < len(lines):
        line = lines[at]
        if line.startswith("///"):
            comment.append(line[3:].removeprefix(" "))
        elif line.startswith("namespace detail"):
            at = _end_of(lines, at) - 1
            comment = []
        elif line.startswith("namespace "):
            if not opened:
                header.contract = comment
            opened, comment = True, []
        elif not line.strip():
            if not opened and comment:
                header.contract, comment = comment, []
            comment = []
        elif line.startswith(("}", "#", "//")):
            pass
        elif opened:
            end = _end_of(lines, at)
            declaration = _declaration(lines[at:end], comment)
            if declaration:
                header.declarations.append(declaration)
            at, comment = end - 1, []
        at += 1
    return header
