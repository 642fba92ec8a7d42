"""Results: every field that the library lists is an attribute, in the stubs, and what the command prints.
So are its words for statuses and choices."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
from pathlib import Path
from types import ModuleType

import pytest

from shortfall import inventory

ROOT = Path(__file__).resolve().parents[2]
STUB = Path(inventory.__file__).with_suffix(".pyi")


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "python" / "stubs.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def grammar() -> dict:
    path = os.environ.get("SHORTFALL_COMMAND")
    if not path:
        pytest.skip("SHORTFALL_COMMAND does not say where the command is")
    return script().grammar_of(path)


@pytest.fixture(scope="module")
def results(grammar: dict) -> list[dict]:
    return grammar["results"]


def missing(results: list[dict]) -> list[str]:
    """Fields that a class or its stub does not have."""
    classes = {
        node.name: {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        for node in ast.parse(STUB.read_text()).body
        if isinstance(node, ast.ClassDef)
    }
    found = []
    for result in results:
        name = result["name"]
        for field in result["fields"]:
            if not hasattr(getattr(inventory, name), field["key"]):
                found.append(f"{name}.{field['key']} is no attribute")
            if field["key"] not in classes[name]:
                found.append(f"{name}.{field['key']} is not in the stub")
    return found


def test_every_field_is_an_attribute_and_in_the_stub(results: list[dict]) -> None:
    assert len(results) > 15
    assert missing(results) == []


def test_a_planted_field_is_missed(results: list[dict]) -> None:
    field = {"key": "planted", "type": "int", "meaning": "x", "in_documents": "always"}
    planted = [
        {**each, "fields": [*each["fields"], field]} if each["name"] == "Backtest" else each
        for each in results
    ]
    assert len(missing(planted)) == 2
    stub = STUB.read_text()
    assert "def planted(self) -> int: ..." in script().with_results(stub, planted)


def test_the_stub_is_up_to_date(results: list[dict]) -> None:
    stub = STUB.read_text()
    assert script().with_results(stub, results) == stub


@pytest.mark.parametrize("name", ["__init__.pyi", "inventory.pyi"])
def test_the_words_in_stubs_are_those_of_the_library(grammar: dict, name: str) -> None:
    stub = STUB.with_name(name).read_text()
    assert script().with_words(stub, grammar["words"]) == stub
    planted = {**grammar["words"], "Status": ["planted"]}
    assert '_Status = Literal["planted"]' in script().with_words(stub, planted)


def test_meanings_are_docstrings(results: list[dict]) -> None:
    for result in results:
        if result["name"] == "Inventory":
            continue  # its attributes have more to say
        for field in result["fields"]:
            text = inspect.getdoc(getattr(getattr(inventory, result["name"]), field["key"]))
            assert text == field["meaning"][:1].upper() + field["meaning"][1:] + "."
