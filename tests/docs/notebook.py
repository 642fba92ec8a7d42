"""A page with a Python program as a notebook of Jupyter (nbformat 4.5): text and code in turn, with
the outputs that the page shows.

The ```text after a part of the program is what the part prints or, if it ends with an expression other
than a call of print, the value that Jupyter then shows. A cell does one of the two. Blocks of a shell
and files have no place in a notebook, and outputs are shown whole.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

from outputs import GAP, difference
from page import BadPage, Command, File, Page

Notebook = dict[str, Any]
_KEYS = {
    "markdown": {"cell_type", "id", "metadata", "source"},
    "code": {"cell_type", "execution_count", "id", "metadata", "outputs", "source"},
}
_OUTPUT_KEYS = {
    "stream": {"name", "output_type", "text"},
    "execute_result": {"data", "execution_count", "metadata", "output_type"},
}


def shows_value(source: str) -> bool:
    """Whether Jupyter may show the value of its last line."""
    body = ast.parse(source).body
    if not body or not isinstance(body[-1], ast.Expr):
        return False
    value = body[-1].value
    is_print = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "print"
    return not is_print and not source.rstrip().endswith(";")


def pictures_of(page: Page) -> list[str]:
    """The files in the page's folder that its program draws."""
    text = "\n".join(part for part in page.parts if isinstance(part, str))
    return re.findall(r"!\[[^\]]*\]\(([^)/]+)\)", text)


def _lines(lines: list[str]) -> list[str]:
    return [line + "\n" for line in lines[:-1]] + lines[-1:]


def _outputs(source: str, shown: list[str], count: int) -> list[dict[str, Any]]:
    if not shown:
        return []
    if not shows_value(source):
        text = [line + "\n" for line in shown]
        return [{"name": "stdout", "output_type": "stream", "text": text}]
    result = {"data": {"text/plain": _lines(shown)}, "execution_count": count, "metadata": {}}
    return [{**result, "output_type": "execute_result"}]


def _texts(page: Page) -> list[list[str]]:
    """The text before, between and after the parts of the program."""
    texts: list[list[str]] = [[]]
    within = ""  # a block of the program, or of its output
    for part in page.parts:
        if isinstance(part, Command):
            texts[-1].clear()  # its output: what came before is blank
        elif within:
            within = "" if part == "```" else within
        elif part == "```python":
            texts.append([])
            within = part
        elif part == "```text":
            within = part
        else:
            texts[-1].append(part)
    return [_trimmed(text) for text in texts]


def _trimmed(lines: list[str]) -> list[str]:
    return "\n".join(lines).strip("\n").split("\n") if any(lines) else []


def notebook_of(page: Page) -> Notebook:
    """Throws BadPage for what a notebook cannot have."""
    for step in page.steps:
        if isinstance(step, File) or step.language != "python":
            raise BadPage(f"{step.where}: neither text nor Python, which is all a notebook has")
        if GAP in step.expected:
            raise BadPage(f"{step.where}: a notebook shows all of an output")
        if shows_value(step.source) and step.expected and "print(" in step.source:
            raise BadPage(f"{step.where}: prints and ends with a value; accepted: one of the two")
    cells: list[dict[str, Any]] = []
    texts = _texts(page)
    for count, text in enumerate(texts):
        if text:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": _lines(text)})
        if count == len(page.steps):
            break
        step = page.steps[count]
        assert isinstance(step, Command)
        source = step.source.rstrip("\n")
        outputs = _outputs(source, step.expected, count + 1)
        code = {"cell_type": "code", "execution_count": count + 1, "outputs": outputs}
        cells.append({**code, "metadata": {}, "source": _lines(source.split("\n"))})
    cells = [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(cells, 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def text_of(notebook: Notebook) -> str:
    """The file, as Jupyter saves it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def path_of(page: Page) -> Path:
    return page.path.with_suffix(".ipynb")


def _is_text(value: Any) -> bool:
    is_list = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return is_list and all(line.endswith("\n") for line in value[:-1])


def _output_is_right(output: Any, count: int) -> bool:
    kind = output.get("output_type")
    if output.keys() != _OUTPUT_KEYS.get(kind):
        return False
    if kind == "stream":
        return output["name"] == "stdout" and _is_text(output["text"])
    data = output["data"]
    is_counted = output["execution_count"] == count and output["metadata"] == {}
    return is_counted and data.keys() == {"text/plain"} and _is_text(data["text/plain"])


def faults_of(notebook: Notebook) -> list[str]:
    """What Jupyter's format does not allow, or what a fresh run from top to bottom would not leave."""
    faults = []
    if (notebook.get("nbformat"), notebook.get("nbformat_minor")) != (4, 5):
        faults.append("not a notebook of format 4.5")
    if notebook.keys() != {"cells", "metadata", "nbformat", "nbformat_minor"}:
        faults.append(f"keys {sorted(notebook)}")
    ids = [cell.get("id") for cell in notebook.get("cells", [])]
    if len(set(ids)) != len(ids) or not all(re.fullmatch(r"[\w-]{1,64}", str(i)) for i in ids):
        faults.append("ids of cells are not unique words")
    count = 0
    for number, cell in enumerate(notebook.get("cells", []), 1):
        kind = cell.get("cell_type")
        if cell.keys() != _KEYS.get(kind) or cell["metadata"] != {} or not _is_text(cell["source"]):
            faults.append(f"cell {number}: not a cell of code or text")
        elif kind == "code":
            count += 1
            if cell["execution_count"] != count:
                faults.append(f"cell {number}: not the {count}. that was run")
            if not all(_output_is_right(output, count) for output in cell["outputs"]):
                faults.append(f"cell {number}: not an output")
    return faults


# Pictures: numbers may differ by what nobody sees, and matplotlib's ids, which depend on their
# digits, do not count. Other versions of matplotlib draw differently; the file names its version.
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


def _picture_faults(stored: Path, drawn: Path) -> list[str]:
    if not drawn.is_file() or not stored.is_file():
        return [f"{stored.name}: not drawn, or not stored"]
    old, new = (path.read_text(encoding="utf-8") for path in (stored, drawn))
    if drawer_of(old) != drawer_of(new):
        by = f"stored by {drawer_of(old) or 'an unknown program'}, drawn by {drawer_of(new)}"
        print(f"{stored.name}: not compared: {by}")
        return []
    change = first_change(old, new)
    return [f"{stored.name} is stale: {change}"] if change else []


def compare(page: Page, folder: Path, update: bool) -> list[str]:
    """What differs from the stored notebook and its pictures, which the page has drawn in `folder`.
    With `update` they are stored."""
    made, path = notebook_of(page), path_of(page)
    pictures = {page.path.parent / name: folder / name for name in pictures_of(page)}
    if update:
        path.write_text(text_of(made), encoding="utf-8")
        for stored, drawn in pictures.items():
            shutil.copyfile(drawn, stored)
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    faults = [f"{path.name}: {fault}" for fault in faults_of(made)]
    if text != text_of(made):
        lines = difference(text.split("\n"), text_of(made).split("\n"))
        faults.append(f"{path.name} is not what {page.path.name} gives:\n{lines}")
    return faults + [each for pair in pictures.items() for each in _picture_faults(*pair)]
