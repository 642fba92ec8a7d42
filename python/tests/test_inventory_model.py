"""Perishable stock: the Inventory class and demand distributions."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings

import shortfall
from inventory_for_tests import COST, DEMAND, EXAMPLES, inventories, small
from shortfall import InvalidInput, inventory
from shortfall.inventory import Inventory


def test_properties_return_the_arguments() -> None:
    stock = small(max_order=4)
    assert (stock.shelf_life, stock.capacity, stock.max_order, stock.days) == (3, 5, 4, 1)
    assert stock.states == 21  # binomial(5 + 2, 2)
    assert stock.cost == {**COST, "unit": 0.0}
    assert stock.gamma == 0.8
    assert repr(stock.loss) == "Loss('expectile:0.8')"
    (law,) = stock.demand
    np.testing.assert_allclose(law, DEMAND, rtol=1e-15)  # rescaled to sum to one
    assert repr(stock) == "Inventory(shelf life 3, capacity 5, 21 states, expectile:0.8, gamma 0.8)"
    assert stock.memory_needed > 0


def test_demand_may_have_different_lengths_by_day() -> None:
    laws = [[0.5, 0.5]] * 5 + [[1.0], [0.25, 0.25, 0.5]]
    stock = small(demand=laws)
    assert stock.days == 7 and stock.states == 7 * 21
    assert [law.tolist() for law in stock.demand] == laws
    same = small(demand=np.tile([0.5, 0.5], (7, 1)))
    assert same.days == 7 and "7 days" in repr(same)


def test_a_single_period_of_shelf_life_has_one_empty_stock() -> None:
    stock = small(shelf_life=1)
    assert stock.stocks.shape == (1, 0)
    assert stock.index([]) == 0


@given(inventories())
@settings(max_examples=30)
def test_every_stock_has_the_number_of_its_row(stock: Inventory) -> None:
    stocks = stock.stocks
    assert stocks.shape == (stock.states // stock.days, stock.shelf_life - 1)
    assert len({tuple(row) for row in stocks}) == len(stocks)
    assert (stocks.sum(axis=1) <= stock.capacity).all()
    for day in range(stock.days):
        for number, row in enumerate(stocks):
            assert stock.index(row, day) == day * len(stocks) + number


def test_replace_changes_the_criterion_only() -> None:
    stock = small()
    changed = stock.replace(loss="mean", gamma=0.5)
    assert (repr(changed.loss), changed.gamma) == ("Loss('mean')", 0.5)
    assert (changed.capacity, changed.cost) == (stock.capacity, stock.cost)
    assert (repr(stock.loss), stock.gamma) == ("Loss('expectile:0.8')", 0.8)
    assert stock.replace().gamma == stock.gamma


def test_a_configuration_file_with_overridden_values() -> None:
    path = EXAMPLES / "platelets3.toml"
    assert Inventory.from_toml(str(path)).cost["order"] == 10.0
    changes: dict[str, Any] = {
        "cost.order": np.float64(80),
        "inventory.capacity": np.int32(7),
        "arrival.c0": np.array([1.0, 2.0]),
        "arrival.c1": (0, -0.5),
        "risk.loss": shortfall.Loss("entropic:0.25"),
        "demand.distribution": "poisson",
        "demand.mean": [1, 2, 3, 4, 5, 6, 7.5],
    }
    stock = Inventory.from_toml(path, set=changes)
    assert (stock.cost["order"], stock.capacity, stock.days) == (80.0, 7, 7)
    assert repr(stock.loss) == "Loss('entropic:0.25')"
    law = inventory.poisson_demand(7.5, max=20)
    np.testing.assert_allclose(stock.demand[6], law, rtol=1e-14)
    assert Inventory.from_toml(path, set={"arrival.fresh": True}).states == 231


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shelf_life": 0}, "shelf life = 0; accepted: at least 1"),
        ({"shelf_life": 11}, "shelf life = 11; accepted: 1 to 10"),
        ({"capacity": -1}, "capacity = -1; accepted: whole numbers from 0"),
        ({"capacity": 0}, "capacity = 0; accepted: 1 to 250"),
        ({"max_order": 6}, "largest order = 6; accepted: 0 to 5"),
        ({"gamma": 1.0}, "gamma = 1; accepted: a number strictly between 0 and 1"),
        ({"loss": "expectile"}, "expectile"),
        ({"demand": [0.5, 0.4]}, "sum"),
        ({"demand": [[0.5, 0.5]] * 2}, "2 demand laws; accepted: one, or seven"),
        ({"demand": "poisson"}, "demand is not a distribution; accepted: probabilities of 0, 1, .. units"),
        ({"demand": [[[1.0]]]}, "demand is not a distribution"),
        ({"arrival": ([1.0], [1.0, 2.0])}, "c0 has 1 entries; accepted: 2"),
        ({"arrival": [1.0]}, "arrival is not a pair of lists; accepted: "),
        ({"arrival": ([1, 2], [1, 2]), "shares": [1, 0, 0]}, "shares and arrival cannot be combined"),
        ({"shares": [0.5, 0.5]}, "2 shares, but the shelf life is 3; accepted: "),
        ({"shares": [0.5, 0.4, 0]}, "shares on arrival sum to 0.9; accepted: 1 within"),
        ({"shares": "all"}, "shares is not a distribution; accepted: probabilities of 1, .., "),
        ({"shares": [[1, 0, 0]] * 2}, "2 laws of arrival; accepted: one, or seven"),
        ({"max_order": [1, 2]}, "a list of 2 for max_order; accepted: one number, or seven"),
        ({"max_order": [1, 2, 3, 4, 5, 6, 0]}, "largest order = 6; accepted: 0 to 5"),
        ({"cost": {**COST, "unit": [1, 2]}}, "a list of 2 for unit; accepted: one number, or seven for Mon"),
        ({"cost": {**COST, "order": -1}}, "order cost = -1; accepted: a number from 0"),
        ({"cost": {**COST, "ordr": 1}}, 'cost has "ordr"; accepted: order, unit, holding'),
        ({"cost": {"order": 1}}, 'cost has no "holding"; accepted: order, unit, holding'),
    ],
)
def test_invalid_arguments_are_rejected_with_what_is_accepted(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        small(**change)
    assert message in str(error.value)


def test_everything_may_differ_by_weekday() -> None:
    stock = small(
        max_order=[5, 5, 5, 5, 5, np.int64(2), 0],
        shares=[[0.25, 0.25, 0.5]] * 6 + [[0, 0, 1]],
        cost={**COST, "order": np.arange(7.0), "unit": 3},
    )
    assert stock.days == 7
    assert stock.max_order == (5, 5, 5, 5, 5, 2, 0)
    assert stock.cost["order"] == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    assert stock.cost["unit"] == 3.0
    assert stock.arrival(4, day=5).tolist() == [0.25, 0.25, 0.5]
    assert stock.arrival(4, day=6).tolist() == [0.0, 0.0, 1.0]
    assert len(stock.demand) == 7
    solution = inventory.solve(stock)
    sunday = stock.states // 7 * 6
    assert not solution.policy[sunday:].any()
    assert solution.policy[stock.index([0, 0], day=5)] <= 2
    with pytest.raises(InvalidInput, match="day = 7; accepted: 0 for Monday to 6 for Sunday"):
        stock.arrival(1, day=7)
    with pytest.raises(InvalidInput, match="order = -1"):
        stock.arrival(-1)


def test_logits_may_differ_by_weekday() -> None:
    c0 = [[float(day), 0.0] for day in range(7)]
    stock = small(arrival=(c0, [0.0, 0.0]))
    assert stock.days == 7
    expected = np.exp([0.0, 3.0, 0.0])
    np.testing.assert_allclose(stock.arrival(2, day=3), expected / expected.sum(), rtol=1e-15)


def test_shares_are_logits_without_slopes() -> None:
    shares = np.array([0.2, 0.3, 0.5])
    logits = np.log(shares[1:] / shares[0])
    with_shares = inventory.solve(small(shares=shares))
    with_logits = inventory.solve(small(arrival=(logits, np.zeros(2))))
    np.testing.assert_allclose(with_shares.values, with_logits.values, rtol=0, atol=2e-6)


def test_costs_are_any_mapping_of_numbers() -> None:
    assert small(cost=MappingProxyType(COST)).cost == {**COST, "unit": 0.0}
    assert small(cost={**COST, "order": np.float32(2)}).cost == {**COST, "unit": 0.0}
    for wrong in ("2", None, [None] * 7):
        with pytest.raises(TypeError, match="must be real number"):
            small(cost={**COST, "order": wrong})
    with pytest.raises(TypeError):
        small(cost=5)


def test_invalid_stocks_are_rejected() -> None:
    stock = small()
    for wrong in ([1], [1, 2, 3], [-1, 0], [3, 3], [6, 0]):
        with pytest.raises(InvalidInput, match="accepted"):
            stock.index(wrong)
    with pytest.raises(InvalidInput, match="day = 1; accepted: 0"):
        stock.index([0, 0], 1)
    with pytest.raises(InvalidInput, match="accepted: 0 for Monday to 6 for Sunday"):
        small(demand=[[1.0]] * 7).index([0, 0], day=7)
    with pytest.raises(TypeError):
        stock.index([0.5, 0])


def test_errors_in_a_file_name_the_line_and_key(tmp_path: Path) -> None:
    path = EXAMPLES / "platelets3.toml"
    with pytest.raises(InvalidInput, match="set cost.ordr=80: .*cost.order"):
        Inventory.from_toml(path, set={"cost.ordr": 80})
    with pytest.raises(InvalidInput, match='set cost.order="80"'):
        Inventory.from_toml(path, set={"cost.order": "80"})
    with pytest.raises(TypeError, match="set: cost.order is of type NoneType; accepted: numbers"):
        Inventory.from_toml(path, set={"cost.order": None})
    broken = tmp_path / "broken.toml"
    broken.write_text(path.read_text().replace("holding = 1", "holding = -1"))
    with pytest.raises(InvalidInput, match="broken.toml, line 20, key cost.holding"):
        Inventory.from_toml(broken)


def piled_up(law: Any, largest: int) -> np.ndarray:
    """P(D = 0), .., with the probability above `largest` added to the last."""
    return np.append(law.pmf(np.arange(largest)), law.sf(largest - 1))


def test_demand_distributions_agree_with_scipy() -> None:
    # SciPy's functions are accurate to about 1e-13.
    for n, mean in [(11.064622, 6.165049), (1.0, 3.0), (0.5, 2.0)]:
        law = scipy.stats.nbinom(n, n / (n + mean))
        ours = inventory.negative_binomial_demand(n, mean, 20)
        np.testing.assert_allclose(ours, piled_up(law, 20), rtol=1e-11)
    ours = inventory.poisson_demand(4.2, 12)
    np.testing.assert_allclose(ours, piled_up(scipy.stats.poisson(4.2), 12), rtol=1e-11)
    assert inventory.empirical_demand([1, 0]).tolist() == [1.0, 0.0]


def test_invalid_demand_distributions_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="accepted"):
        inventory.poisson_demand(-1.0, 5)
    with pytest.raises(InvalidInput, match="max = -5; accepted: whole numbers"):
        inventory.poisson_demand(1.0, -5)
    with pytest.raises(InvalidInput, match="accepted"):
        inventory.empirical_demand([0.5, 0.6])
