"""Each Python example runs as a user would run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))
# What takes minutes otherwise.
ARGUMENTS = {"neural.py": ["--quick"]}


def run(script: Path, directory: Path, **variables: str) -> str:
    """What it prints. It must succeed and have nothing to complain about."""
    done = subprocess.run(
        [sys.executable, script, *ARGUMENTS.get(script.name, [])],
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env={**os.environ, "MPLBACKEND": "Agg", **variables},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_there_are_examples() -> None:
    assert len(SCRIPTS) >= 4
    assert all((FOLDER / name).exists() for name in ARGUMENTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script(script: Path, tmp_path: Path) -> None:
    assert run(script, tmp_path).strip()


def test_neural_says_what_is_missing(tmp_path: Path) -> None:
    """A module of this name that cannot be imported, as if PyTorch were not installed."""
    (tmp_path / "torch.py").write_text("raise ImportError('hidden')\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    said = run(FOLDER / "neural.py", tmp_path, PYTHONPATH=path)
    assert said == (
        "PyTorch is not installed: nothing to show. On Debian: apt-get install python3-torch\n"
    )
