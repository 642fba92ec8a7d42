"""Perishable stock: simulated costs agree with the distributions."""

from __future__ import annotations

import numpy as np
import pytest

from inventory_for_tests import COST, period_risk, small
from shortfall import InvalidInput, inventory


def test_the_mean_cost_of_one_period_agrees_with_the_distribution() -> None:
    stock = small(shelf_life=1)
    result = inventory.simulate(stock, [3], periods=1, replications=40000)
    # Four standard errors: about one seed in 16000 exceeds them, and the seed is fixed.
    exact = period_risk(stock, 3, "mean")
    assert abs(result.mean - exact) <= 4 * result.standard_error
    assert result.standard_error < 0.05


def test_rates_are_consistent() -> None:
    stock = small(arrival=([0.5, 1.0], [-0.1, -0.2]))
    result = inventory.simulate(stock, inventory.solve(stock).policy, periods=50, replications=200)
    cost = result.discounted_cost
    assert cost.shape == (200,) and np.shares_memory(cost, result.discounted_cost)
    assert result.mean == pytest.approx(cost.mean(), rel=1e-13)
    assert result.standard_error == pytest.approx(cost.std(ddof=1) / np.sqrt(200), rel=1e-12)
    parts = [getattr(result, f"{name}_cost_per_period") for name in COST]
    assert sum(parts) == pytest.approx(result.cost_per_period, rel=1e-14)
    assert result.wastage_cost_per_period == COST["wastage"] * result.wastage_rate
    assert result.shortage_cost_per_period == COST["shortage"] * result.shortage_rate
    assert sum(result.stock_by_age) == pytest.approx(result.mean_stock, rel=1e-14)
    assert len(result.stock_by_age) == 3
    for q, rank in [(0.0, 1), (0.05, 10), (0.5, 100), (0.951, 191), (1.0, 200)]:
        assert result.quantile(q) == np.sort(cost)[rank - 1]
    assert repr(result).startswith("Simulation(200 replications, discounted cost ")


def test_simulated_costs_agree_with_the_exact_value() -> None:
    stock = small(loss="mean")
    best = inventory.solve(stock)
    result = inventory.simulate(stock, best.policy, periods=200)  # 0.8 ** 200 is nothing
    assert abs(result.mean - best.values[0]) <= 4 * result.standard_error


def test_results_depend_on_the_seed_and_not_on_threads() -> None:
    stock = small()
    orders = inventory.static_orders(stock)
    one = inventory.simulate(stock, orders, replications=2000, threads=1)
    two = inventory.simulate(stock, orders, replications=2000, threads=2)
    other = inventory.simulate(stock, orders, replications=2000, seed=2)
    assert (one.discounted_cost == two.discounted_cost).all()
    assert (one.discounted_cost != other.discounted_cost).any()


def test_invalid_simulations_are_rejected() -> None:
    stock = small()
    orders = inventory.static_orders(stock)
    with pytest.raises(InvalidInput, match="periods = 0; accepted: 1 to"):
        inventory.simulate(stock, orders, periods=0)
    with pytest.raises(InvalidInput, match="replications = -1; accepted"):
        inventory.simulate(stock, orders, replications=-1)
    result = inventory.simulate(stock, orders, replications=1)
    assert result.standard_error == np.inf
    with pytest.raises(InvalidInput, match="quantile of level 1.5; accepted: 0 to 1"):
        result.quantile(1.5)
