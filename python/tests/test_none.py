"""None where a value is needed is refused, and never reaches compiled code: for each argument of each
public function and class, as the stubs list them.
"""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import shortfall as sf
from inventory_for_tests import COST, DEMAND, small
from shortfall import theory
from shortfall.inventory import base_stock_orders

MODULES = ["", ".features", ".gym", ".inventory", ".library", ".theory"]
OBJECTS = (
    "Inventory",
    "Mdp",
    "Chain",
    "Learner",
    "QNormContraction",
    "MeanField",
    "AveragerOperator",
)
BY_TYPE = {"int": 3, "float": 0.5, "ArrayLike": [0.5, 0.5], "float | ArrayLike": 0.5}


def required(function: ast.FunctionDef) -> list[tuple[str, str]]:
    """The arguments without a default, in order."""
    given = function.args
    some = given.args[: len(given.args) - len(given.defaults)]
    some += [each for each, default in zip(given.kwonlyargs, given.kw_defaults) if default is None]
    return [(each.arg, ast.unparse(each.annotation)) for each in some if each.annotation]


def calls() -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """The module, the name and the arguments of all functions and classes."""
    package = Path(sf.__file__).parent
    for module in MODULES:
        stub = package / f"{module[1:] or '__init__'}.pyi"
        for node in ast.parse(stub.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                yield module, node.name, required(node)
            if isinstance(node, ast.ClassDef):
                for each in node.body:
                    if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                        yield module, node.name, required(each)


def cases() -> Iterator[Any]:
    for module, name, arguments in calls():
        for argument, kind in arguments:
            if kind != "Any" and "None" not in kind:
                label = f"{module[1:]}.{name}({argument})".lstrip(".")
                yield pytest.param(module, name, arguments, argument, kind, id=label)


ALL = list(cases())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An accepted value by the name of the argument."""
    stock = small()
    model = sf.Mdp(np.full((1, 2, 2), 0.5), cost=np.array([[0.0], [1.0]]))
    chain = model.under_policy([0, 0])
    phi, q = np.eye(2), [0.5, 0.5]
    return {
        "inventory": stock,
        "orders": base_stock_orders(stock, level=3),
        "values": [1.0, 2.0],
        "stock": [0, 0],
        "model": model,
        "policy": [0, 0],
        "chain": chain,
        "learner": sf.Newton(2, "mean", gamma=0.5),
        "contraction": theory.QNormContraction.sharp("mean", 0.5),
        "field": theory.MeanField(chain, "mean", 0.5, phi, q),
        "averager": theory.AveragerOperator(chain, "mean", 0.5, phi, q),
        "phi": phi,
        "q": q,
        "loss": "mean",
        "algorithm": "newton",
        "gamma": 0.5,
        "path": tmp_path_factory.mktemp("none") / "file",
        "records": "records.csv",
        "demand": DEMAND,
        "cost": COST,
        "probabilities": [0.5, 0.5],
        "points": [(-1.0, -1.0), (1.0, 1.0)],
    }


@pytest.mark.parametrize(("module", "name", "arguments", "nothing", "kind"), ALL)
def test_none_is_refused(
    good: dict[str, Any],
    module: str,
    name: str,
    arguments: list[tuple[str, str]],
    nothing: str,
    kind: str,
) -> None:
    function = getattr(importlib.import_module(f"shortfall{module}"), name)
    given = {each: good.get(each, BY_TYPE.get(of)) for each, of in arguments}
    given[nothing] = None
    assert [each for each in given if given[each] is None] == [nothing]
    with pytest.raises(TypeError if kind in OBJECTS else (TypeError, ValueError)) as refusal:
        function(**given)
    # The call itself is right: it is not refused because of the names of its arguments.
    assert "unexpected keyword" not in str(refusal.value)


def test_all_functions_of_an_inventory_are_among_them() -> None:
    with_inventory = [each.id for each in ALL if each.values[3] == "inventory"]
    assert len(with_inventory) == 22 and "gym.InventoryEnv(inventory)" in with_inventory
