"""Runs the cells of a notebook in one interpreter, as Jupyter does: what each prints, and the value of
its last expression.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT = 600.0  # seconds: a busy machine must not fail the test

_INTERPRETER = """
import ast, contextlib, io, json, sys, traceback
names, done = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    printed, value, error = io.StringIO(), None, ""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            tree = ast.parse(source)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        except BaseException:
            error = traceback.format_exc()
    is_shown = value is not None and not source.rstrip().endswith(";")
    # Jupyter breaks the lines of long containers in a way of its own.
    is_long = isinstance(value, (dict, list, set, tuple)) and len(repr(value)) > 79
    if is_shown and is_long and not error:
        error = "the value is a long " + type(value).__name__ + ": print it"
    done.append([printed.getvalue(), repr(value) if is_shown else "", error])
    if error:
        break
json.dump(done, sys.stdout)
"""


@dataclass
class Outcome:
    printed: list[str]
    value: list[str]  # as shown
    error: str


def _split(text: str) -> list[str]:
    text = text.rstrip("\n")
    return text.split("\n") if text else []


def run_cells(sources: list[str], folder: Path, package: Path) -> list[Outcome]:
    """Up to the first that fails. `folder` gets a copy of the examples, and docs/notebooks, in which
    cells run.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
    work = folder / "docs" / "notebooks"
    work.mkdir(parents=True)
    (folder / "matplotlibrc").write_text("svg.hashsalt: notebooks\n")  # names within pictures
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": str(folder),
        "SOURCE_DATE_EPOCH": "0",  # pictures have no other date
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.fspath(package),
    }
    done = subprocess.run(
        [sys.executable, "-c", _INTERPRETER],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        cwd=work,
        env=environment,
        timeout=TIME_LIMIT,
        check=False,
    )
    if done.returncode != 0 or not done.stdout:  # a cell may end the interpreter
        return [Outcome([], [], f"exit code {done.returncode}\n{done.stderr}")]
    results = json.loads(done.stdout)
    return [Outcome(_split(printed), _split(value), error) for printed, value, error in results]
