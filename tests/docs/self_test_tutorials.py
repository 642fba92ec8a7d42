"""Tests of the runner itself: pages that say the truth pass, and planted changes are found."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import tutorials
from outputs import is_shown, shown
from page import BadPage, read_page
import self_test_notebooks
from planted import demand, run_main

GOOD = """# A page

```text in.txt
one
```

```console
$ cat in.txt && shortfall 12.345678
one
value 12.345678
within 1e-10 of, 0.5 s
$ for i in 1 2 3; do
>   echo line $i
> done
line 1
...
line 3
$ false
$ echo $?
1
```

```python
x = 20
```

```python
print(x + 1)
```

```text
21
```
"""

# One line or digit each.
PLANTED = [
    ("value 12.345678", "value 12.345679"),
    ("one\nvalue", "two\nvalue"),
    ("line 3", "line 4"),
    ("within 1e-10 of", "within 9e-10 of"),
    ("21\n", "22\n"),
    ("value 12.345678\n", ""),
    ("\n1\n```", "\n0\n```"),
    ("print(x + 1)", "print(x + 2)"),
    ("$ false\n$ echo $?\n1\n", "$ false\n"),
    ("x = 20", "x = y"),
    ("21\n", ""),
]

REFUSED = [
    ("```python\nx = 20", "```cpp\nx = 20"),
    ("$ cat", "cat"),
    ("21\n```\n", "21\n"),
]

# What is shown, what is printed, whether that is the same.
SHOWN = [
    (["a", "...", "d"], ["a", "b", "c", "d"], True),
    (["...", "c", "..."], ["a", "b", "c", "d"], True),
    (["...", "c", "b", "..."], ["a", "b", "c", "d"], False),
    (["a", "...", "a"], ["a"], False),
    (["..."], [], True),
    ([], ["a"], False),
    (["a 1.50"], ["a 1.5000000000000002"], True),
    (["a 1.5"], ["a 1.6"], False),
]


def run(_: Path) -> int:
    for expected, printed, same in SHOWN:
        demand(is_shown(expected, printed) == same, f"{expected}, {printed}")
        demand(is_shown(shown(expected, printed), printed), f"--update: {expected}, {printed}")
    with tempfile.TemporaryDirectory(prefix="tutorials-") as name:
        command, page = Path(name) / "command", Path(name) / "page.md"
        command.write_text('#!/bin/sh\necho "value $1"\necho "within 1e-10 of, 0.1 s" >&2\n')
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
        arguments = (str(command), str(page))
        page.write_text(GOOD)
        code, text = run_main(tutorials.main, *arguments)
        demand(code == 0, text)
        for old, new in PLANTED:
            page.write_text(GOOD.replace(old, new, 1))
            demand(GOOD.replace(old, new, 1) != GOOD, f"nothing planted: {old!r}")
            code, text = run_main(tutorials.main, *arguments)
            demand(code == 1 and "FAILED page.md, line" in text, f"undetected: {old!r} as {new!r}")
        for old, new in PLANTED[:5]:  # an output that changed is written, and then passes
            page.write_text(GOOD.replace(old, new, 1))
            run_main(tutorials.main, *arguments, "--update")
            repaired = page.read_text().replace("0.1 s", "0.5 s")  # a time, which always differs
            demand(repaired == GOOD, f"not repaired: {old!r}\n{page.read_text()}")
        for old, new in REFUSED:
            page.write_text(GOOD.replace(old, new, 1))
            try:
                read_page(page)
            except BadPage:
                continue
            raise AssertionError(f"accepted: {new!r}")
    self_test_notebooks.run()
    print(f"ok: {len(SHOWN)} examples, {len(PLANTED)} planted changes, {len(REFUSED)} bad pages")
    return 0
