"""Tests of the runner with notebooks: those that say the truth pass, and planted changes are found."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import tutorials
from notebook import faults_of, first_change, notebook_of, shows_value, text_of
from page import BadPage, read_page
from planted import demand, run_main

GOOD = """# A page

With *text*.

```python
x = 20.5
```

```python
print(x + 1)
print("two")
```

```text
21.5
two
```

```sh
make all   # shown, not run
```

```python
2 * x
```

```text
41.0
```

![drawn](picture.svg)

```python
open("picture.svg", "w").write("<svg><dc:title>M 1.0</dc:title><path/></svg>");
```
"""

# In the page, whose notebook is then made again: the cells do not print this.
PLANTED_IN_THE_PAGE = [
    ("21.5\n", "21.6\n"),
    ("two\n```", "two\nthree\n```"),
    ("two\n```", "```"),
    ("```text\n21.5\ntwo\n```\n", ""),
    ("41.0", "41.00001"),
    ("x = 20.5", "x = 20.25"),
    ("2 * x", "2 * y"),
    ("2 * x", "[2 * x] * 50"),
    ("picture.svg)", "other.svg)"),
]
# In the stored notebook: it is not what the page gives.
PLANTED_IN_THE_NOTEBOOK = [("21.5", "21.6"), ("two", "2"), ("*text*", "text"), ("2 * x", "3 * x")]
REFUSED = [
    ("```sh", "```console"),
    ("```python\nx = 20.5", "```python file.py\nx = 20.5"),
    ("21.5\ntwo", "...\ntwo"),
    ("2 * x", "print(1)\n2 * x"),
]
# In the stored picture.
PLANTED_IN_THE_PICTURE = [("<path/>", "<path d=''/>"), ("<path/>", ""), ("</svg>", "3</svg>")]
PICTURE = (
    '<path id="m3f" d="M 1.25 -2.5e1"/><use xlink:href="#m3f" style="fill: #1f77b4"/><text>a</text>'
)
LOOKS_THE_SAME = [("1.25", "1.250001"), ("m3f", "m9ab")]
LOOKS_DIFFERENT = [
    ("1.25", "1.35"),
    ("-2.5e1", "2.5e1"),
    ("1f77b4", "1f77b5"),
    ("1f77b4", "1f77c4"),
    ("<text>a", "<text>b"),
    ("-2.5e1", "-2.5e1 3"),
    ("#m3f", "#other"),
]
VALUES = [
    ("x", True),
    ("f(x)", True),
    ("print(x)", False),
    ("x;", False),
    ("x = 1", False),
    ("", False),
    ("def f():\n    return 1", False),
]


def _planted_faults(good: dict[str, Any]) -> list[dict[str, Any]]:
    """One change each, of what Jupyter's format demands."""
    code = [at for at, cell in enumerate(good["cells"]) if cell["cell_type"] == "code"]
    output = {"name": "stdout", "output_type": "stream", "text": ["x\n"]}
    changes: list[tuple[int | None, str, Any]] = [
        (None, "nbformat", 3),
        (None, "nbformat_minor", 4),
        (None, "worksheets", []),
        (0, "id", good["cells"][1]["id"]),
        (0, "id", "two words"),
        (0, "cell_type", "text"),
        (0, "outputs", []),
        (0, "source", "text"),
        (0, "source", ["no end of line", "last"]),
        (code[0], "execution_count", 2),
        (code[0], "outputs", [{**output, "output_type": "display"}]),
        (code[0], "outputs", [{**output, "name": "stderr"}]),
        (code[0], "outputs", [{**output, "extra": 1}]),
        (code[0], "outputs", [{**output, "text": "x"}]),
    ]
    planted = []
    for at, key, value in changes:
        changed = copy.deepcopy(good)
        (changed if at is None else changed["cells"][at])[key] = value
        planted.append(changed)
    counted = copy.deepcopy(good)
    counted["cells"][code[2]]["outputs"][0]["execution_count"] = 7
    return [*planted, counted]


def _pictures(stored: Path, arguments: tuple[str, ...]) -> None:
    for old, new in LOOKS_THE_SAME:
        demand(first_change(PICTURE, PICTURE.replace(old, new)) == "", f"not the same: {new!r}")
    for old, new in LOOKS_DIFFERENT:
        demand(first_change(PICTURE, PICTURE.replace(old, new, 1)) != "", f"undetected: {new!r}")
    good = stored.read_text()
    for old, new in PLANTED_IN_THE_PICTURE:
        stored.write_text(good.replace(old, new, 1))
        code, text = run_main(tutorials.main, *arguments)
        demand(code == 1 and "picture.svg is stale" in text, f"undetected: {new!r}")
    stored.write_text(good.replace("M 1.0", "M 2.0").replace("<path/>", ""))
    code, text = run_main(tutorials.main, *arguments)
    said = "picture.svg: not compared: stored by M 2.0, drawn by M 1.0"
    demand(code == 0 and said in text, f"another version: {text}")
    stored.write_text(good)


def run() -> None:
    for source, expected in VALUES:
        demand(shows_value(source) == expected, source)
    with tempfile.TemporaryDirectory(prefix="notebooks-") as name:
        folder = Path(name) / "notebooks"
        folder.mkdir()
        page, stored = folder / "page.md", folder / "page.ipynb"
        arguments = ("true", str(page))
        page.write_text(GOOD)
        page.write_text(GOOD.replace("21.5\ntwo\n", "").replace("41.0\n", ""))
        code, text = run_main(tutorials.main, *arguments, "--update")
        demand(code == 0 and page.read_text() == GOOD, f"outputs are not written: {text}")
        code, text = run_main(tutorials.main, *arguments)
        demand(code == 0, text)
        good = json.loads(stored.read_text())
        kinds = "".join(cell["cell_type"][0] for cell in good["cells"])
        demand(kinds == "mccmcmc", f"cells {kinds}")
        demand(faults_of(good) == [], "a good notebook has faults")
        for changed in _planted_faults(good):
            demand(len(faults_of(changed)) == 1, f"undetected: {changed}")
        _pictures(folder / "picture.svg", arguments)
        for old, new in PLANTED_IN_THE_NOTEBOOK:
            stored.write_text(text_of(good).replace(old, new, 1))
            code, text = run_main(tutorials.main, *arguments)
            demand(code == 1 and "is not what page.md gives" in text, f"undetected: {new!r}")
        for old, new in PLANTED_IN_THE_PAGE:
            demand(GOOD.count(old) >= 1, f"nothing planted: {old!r}")
            page.write_text(GOOD.replace(old, new, 1))
            stored.write_text(text_of(notebook_of(read_page(page))))
            code, text = run_main(tutorials.main, *arguments)
            demand(code == 1 and "FAILED" in text, f"undetected: {old!r} as {new!r}")
        for old, new in REFUSED:
            page.write_text(GOOD.replace(old, new, 1))
            try:
                notebook_of(read_page(page))
            except BadPage:
                continue
            raise AssertionError(f"accepted: {new!r}")
    planted = len(PLANTED_IN_THE_PAGE) + len(PLANTED_IN_THE_NOTEBOOK) + len(_planted_faults(good))
    planted += len(PLANTED_IN_THE_PICTURE) + len(LOOKS_DIFFERENT)
    print(f"ok: {planted} planted changes of notebooks, {len(REFUSED)} bad pages")
