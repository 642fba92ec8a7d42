"""Runs the steps of a page as a reader would: in one folder, in one shell, in one interpreter."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TIME_LIMIT = 600.0  # seconds per step: a busy machine must not fail the test
_END = "---- end of step"

# Each reads the name of a file, runs what it contains, and says how that ended.
_SHELL = f"""
while IFS= read -r file <&"$1"; do
  step=$(cat "$file")
  (exit "${{status:-0}}")  # for a step that asks for $?
  eval "$step" </dev/null
  status=$?
  printf '\\n{_END} %d\\n' "$status"
done
"""
# Python shows the value of a last expression, as Jupyter does, which breaks the lines of long
# containers in a way of its own.
_INTERPRETER = f"""
import ast, os, sys, traceback
commands, names = os.fdopen(int(sys.argv[1])), {{"__name__": "__main__"}}
for line in iter(commands.readline, ""):
    status = 0
    try:
        with open(line.rstrip("\\n"), encoding="utf-8") as file:
            source = file.read()
        tree = ast.parse(source)
        shows = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
        last = tree.body.pop() if shows and not source.rstrip().endswith(";") else None
        exec(compile(tree, "page", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "page", "eval"), names) if last else None
        if isinstance(value, (dict, list, set, tuple)) and len(repr(value)) > 79:
            raise ValueError("the value is a long " + type(value).__name__ + ": print it")
        if value is not None:
            print(repr(value))
    except BaseException:
        traceback.print_exc()
        status = 1
    print("\\n{_END}", status, flush=True)
"""


class Failed(Exception):
    pass


class Runner:
    """A process that runs one text after the other and keeps what they define."""

    def __init__(
        self, program: list[str], folder: Path, within: str, environment: dict[str, str]
    ):
        self._step = folder / "step"
        place = folder / "work" / within
        place.mkdir(parents=True, exist_ok=True)
        here, there = os.pipe()
        self._commands = os.fdopen(there, "w")
        self._process = subprocess.Popen(
            [*program, str(here)],
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(here,),
            start_new_session=True,
        )
        os.close(here)

    def run(self, text: str) -> tuple[list[str], int]:
        """The lines that it prints, and its exit code."""
        self._step.write_text(text, encoding="utf-8")
        self._commands.write(f"{self._step}\n")
        self._commands.flush()
        assert self._process.stdout is not None
        output, deadline = b"", time.monotonic() + TIME_LIMIT
        end = re.compile(rb"\n" + _END.encode() + rb" (\d+)\n\Z")
        while not (match := end.search(output[-200:])):
            ready, _, _ = select.select([self._process.stdout], [], [], 1.0)
            part = os.read(self._process.stdout.fileno(), 65536) if ready else b""
            if (ready and not part) or time.monotonic() > deadline:
                raise Failed(f"no end within {TIME_LIMIT:.0f} s, or killed:\n{output.decode()}")
            output += part
        printed = output[: -len(match.group())]
        # Whether a command takes long enough to report progress depends on the machine.
        printed = re.sub(rb"(?m)^progress: .*\n", b"", printed).rstrip(b"\n")
        return printed.decode().split("\n") if printed else [], int(match.group(1))

    def close(self) -> None:
        self._commands.close()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)  # and what it left in the background
        except ProcessLookupError:
            pass
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Session:
    """A folder with a copy of the examples, the command on the PATH, and what else there is: the
    Python package, and the installed library for CMake. Steps run in a place `within` the folder.
    """

    def __init__(
        self,
        folder: Path,
        binary: Path,
        package: Path | None,
        prefix: Path | None,
        within: str = ".",
    ):
        self._folder, self._within = folder, within
        (folder / "work").mkdir()
        shutil.copytree(EXAMPLES, folder / "work" / "examples")
        (folder / "bin").mkdir()
        (folder / "bin" / "shortfall").symlink_to(binary)
        (folder / "home").mkdir()
        # Pictures have the same names of parts each time, and no date.
        (folder / "home" / "matplotlibrc").write_text("svg.hashsalt: notebooks\n")
        self._environment = {
            "PATH": f"{folder}/bin:/usr/bin:/bin",
            "HOME": f"{folder}/home",
            "TMPDIR": f"{folder}/home",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "100",
            "TERM": "dumb",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": f"{folder}/home",
            "SOURCE_DATE_EPOCH": "0",
        }
        if package is not None:
            self._environment["PYTHONPATH"] = str(package)
        if prefix is not None:
            self._environment["CMAKE_PREFIX_PATH"] = str(prefix)
        self._runners: dict[str, Runner] = {}

    def run(self, language: str, text: str) -> tuple[list[str], int]:
        if language not in self._runners:
            program = {
                "console": ["/bin/bash", "-c", _SHELL, "bash"],
                "python": [sys.executable, "-c", _INTERPRETER],
            }[language]
            self._runners[language] = Runner(
                program, self._folder, self._within, self._environment
            )
        return self._runners[language].run(text)

    def write(self, name: str, text: str) -> None:
        path = self._folder / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def close(self) -> None:
        for runner in self._runners.values():
            runner.close()
