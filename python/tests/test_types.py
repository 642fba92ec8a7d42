"""Type hints: the stubs match the package, and the examples match the stubs."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import shortfall

PACKAGE = Path(shortfall.__file__).parent
ROOT = Path(__file__).resolve().parents[2]

# pybind11 classes have a metaclass and, if Python cannot construct them, an __init__ that raises;
# plot has its hints in the source.
IGNORED = r"""
shortfall\._core.*
shortfall\.plot\..*
shortfall\.([a-z]+\.)?[A-Z][A-Za-z]*
shortfall\.([a-z]+\.)?[A-Z][A-Za-z]*\.__init__
shortfall\.([a-z]+\.)?[A-Z][A-Za-z]*\.__(copy|deepcopy|getstate|setstate)__
"""


def run(*words: object) -> None:
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_marked_as_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_stubs_match_the_package(tmp_path: Path) -> None:
    """Everything in a stub exists, and everything that exists is in a stub."""
    allowed = tmp_path / "allowed"
    allowed.write_text(IGNORED)
    settings = ROOT / "pyproject.toml"
    options = ("--allowlist", allowed, "--ignore-unused-allowlist", "--mypy-config-file", settings)
    run("mypy.stubtest", "shortfall", *options)


@pytest.mark.parametrize("name", ["__init__", "features", "gym", "inventory", "library", "theory"])
def test_stubs_have_every_class_and_function(name: str) -> None:
    """stubtest skips classes because of their metaclass."""
    stub = ast.parse((PACKAGE / f"{name}.pyi").read_text())
    listed = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    module = importlib.import_module("shortfall" if name == "__init__" else f"shortfall.{name}")
    public = {
        each
        for each in module.__all__
        if inspect.isclass(getattr(module, each)) or inspect.isroutine(getattr(module, each))
    }
    assert listed == public


def test_examples_agree_with_the_stubs() -> None:
    run("mypy", "--strict", "--cache-dir", "/dev/null", ROOT / "examples" / "python")
