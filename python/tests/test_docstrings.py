"""Runs the examples of all docstrings, including those of compiled functions."""

from __future__ import annotations

import doctest
import importlib
import inspect
from types import ModuleType
from typing import Iterator

import numpy as np
import pytest

import shortfall as sf

MODULES = [
    "shortfall",
    "shortfall.features",
    "shortfall.gym",
    "shortfall.inventory",
    "shortfall.library",
    "shortfall.theory",
]


def documented(module: ModuleType) -> Iterator[tuple[str, str]]:
    """All public objects of a module that have a docstring, with their members."""
    yield module.__name__, module.__doc__ or ""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing):
            continue
        yield f"{module.__name__}.{name}", inspect.getdoc(thing) or ""
        if inspect.isclass(thing):
            for member in vars(thing):
                text = inspect.getdoc(getattr(thing, member)) or ""
                yield f"{module.__name__}.{name}.{member}", text


ALL = [pair for name in MODULES for pair in documented(importlib.import_module(name))]
WITH_EXAMPLES = [(name, text) for name, text in ALL if ">>>" in text]


@pytest.mark.parametrize(("name", "text"), WITH_EXAMPLES, ids=[name for name, _ in WITH_EXAMPLES])
def test_examples(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"sf": sf, "np": np}, name, None, 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    problems: list[str] = []
    results = doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=problems.append)
    assert results.attempted > 0
    assert results.failed == 0, "".join(problems)


def test_all_functions_and_classes_are_documented() -> None:
    assert len(ALL) > 100
    public = [
        (f"{module.__name__}.{name}", getattr(module, name))
        for module in map(importlib.import_module, MODULES)
        for name in module.__all__
    ]
    ours = [(name, each) for name, each in public if inspect.isclass(each) or inspect.isroutine(each)]
    assert [name for name, thing in ours if not thing.__doc__] == []


def test_main_functions_and_classes_have_examples() -> None:
    named = {name for name, _ in WITH_EXAMPLES}
    for name in ("Loss", "Mdp", "risk", "solve", "evaluate", "check", "Td", "Newton", "replicate"):
        assert f"shortfall.{name}" in named
