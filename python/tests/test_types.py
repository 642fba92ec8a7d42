"""Type hints: the stubs are those of the package, and the examples agree with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import shortfall

PACKAGE = Path(shortfall.__file__).parent
ROOT = Path(__file__).resolve().parents[2]


def run(*words: object) -> None:
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_stubs_name_what_is_there(tmp_path: Path) -> None:
    """What a stub lists exists, and what exists is listed."""
    allowed = tmp_path / "allowed"
    allowed.write_text("shortfall\\._core.*\n")
    run("mypy.stubtest", "shortfall", "--allowlist", allowed, "--ignore-unused-allowlist")


def test_examples_agree_with_the_stubs() -> None:
    run("mypy", "--strict", "--cache-dir", "/dev/null", ROOT / "examples" / "python")
