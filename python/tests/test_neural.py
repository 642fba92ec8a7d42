"""The parts of examples/python/neural.py, where PyTorch is installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shortfall as sf
from shortfall import inventory
from shortfall.inventory import Inventory

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LOSSES = [
    "mean",
    "expectile:0.9",
    "entropic:0.3",
    "truncated-entropic:0.5,2",
    "soft-quantile:0.8,0.3",
    "piecewise:-1:-0.3,0:0,1:0.7,10:20",
]


@pytest.fixture(name="neural", scope="module")
def load_neural() -> Any:
    spec = importlib.util.spec_from_file_location("neural", EXAMPLES / "python" / "neural.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["neural"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("word", LOSSES)
def test_derivatives_are_those_of_finite_differences(neural: Any, word: str) -> None:
    loss = sf.Loss(word)
    # Away from kinks, which are at 0, ±0.3, ±1, 2 and 10 at most.
    numbers = [-7.3, -1.6, -0.7, -0.11, 0.13, 0.6, 1.4, 3.7, 12.5]
    x = torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: neural.ShortfallLoss.apply(x, loss), (x,))
    assert torch.autograd.gradcheck(lambda x: neural.ShortfallScore.apply(x, loss), (x,))
    assert torch.autograd.gradgradcheck(lambda x: neural.ShortfallScore.apply(x, loss), (x,))
    np.testing.assert_array_equal(
        neural.ShortfallLoss.apply(x, loss).detach().numpy(), loss(np.array(numbers))
    )


def test_the_gradient_of_the_score_is_the_update_of_td(neural: Any) -> None:
    loss = sf.Loss("expectile:0.9")
    rng = np.random.default_rng(1)
    phi, phi_next = rng.normal(size=(2, 4))
    td = sf.Td(4, loss, gamma=0.6, step=0.25)
    td.start_from([0.5, -1.0, 2.0, 0.0])
    theta = torch.tensor(td.theta.copy(), requires_grad=True)
    with torch.no_grad():
        later = 3.0 + 0.6 * torch.from_numpy(phi_next) @ theta
    neural.ShortfallScore.apply(later - torch.from_numpy(phi) @ theta, loss).backward()
    td.update(phi, 3.0, phi_next)
    np.testing.assert_allclose(td.theta, (theta - 0.25 * theta.grad).detach().numpy(), rtol=1e-13)


def test_the_network_comes_closer_than_its_start(neural: Any) -> None:
    """On shelf life 3: from the value if nothing perished to a fifth of its error, and the same
    seed gives the same values."""
    stock = Inventory.from_toml(EXAMPLES / "platelets3.toml", set={"risk.loss": "expectile:0.9"})
    orders = inventory.static_orders(stock)
    exact = inventory.evaluate(stock, orders).values
    state, _, _ = inventory.sample_path(stock, orders, periods=50000)
    q = np.bincount(state, minlength=stock.states) / len(state)
    judge = neural.Judge(stock, exact, q, 1.0)
    inputs = neural.Inputs.of(stock)
    values, weights = neural.learn_network(stock, orders, inputs, neural.QUICK, seed=1)
    assert weights == (3 * 16 + 16) + (16 * 16 + 16) + (16 + 1)
    assert judge.error(values) < 0.2 * judge.error(inputs.guess.double().numpy())
    again, _ = neural.learn_network(stock, orders, inputs, neural.QUICK, seed=1)
    np.testing.assert_array_equal(values, again)


def test_the_best_fit_is_the_projection(neural: Any) -> None:
    stock = Inventory.from_toml(EXAMPLES / "platelets3.toml")
    exact = inventory.evaluate(stock, inventory.static_orders(stock)).values
    q = np.random.default_rng(1).dirichlet(np.ones(stock.states))
    fitted = neural.best_fit(stock, "relu:3", q, exact)
    phi = inventory.stock_features(stock, features="relu:3")
    direct = sf.theory.Projection(phi, q)(exact)
    np.testing.assert_allclose(fitted, direct, rtol=1e-7)
