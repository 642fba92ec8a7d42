"""Perishable stock: today's order, saved solutions, and back-tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from inventory_for_tests import small
from shortfall import inventory

RECORDS = """date,demand,stockout,ordered,received_1,received_2,received_3
2026-11-02,1,0,2,0,1,1
2026-11-03,2,0,2,0,0,2
2026-11-04,0,0,0,0,0,0
2026-11-05,3,1,1,1,0,0
2026-11-07,1,0,2,0,2,0
"""


def test_the_order_is_that_of_the_solution() -> None:
    stock = small()
    solution = inventory.solve(stock)
    for x in ([0, 0], [1, 1], [0, 4]):
        answer = stock.order(x, solution=solution, compare=["base-stock:4", "optimal"])
        assert answer.order == solution.order(x)
        assert abs(answer.value - solution.value(x)) < 1e-6
        assert answer.choices[answer.order].extra == 0
        rule = answer.compare["base-stock:4"]
        assert rule.order == max(4 - sum(x), 0)
        assert rule.value == answer.choices[rule.order].value
        assert answer.compare["optimal"].order == answer.order
        assert answer.reason.startswith("Order ")


def test_the_function_and_the_method_are_the_same() -> None:
    stock = small()
    answer = stock.order([1, 0])
    assert inventory.order(stock, [1, 0]).to_dict() == answer.to_dict()
    assert repr(answer).startswith(f"OrderAnswer(order={answer.order}, value=")


def test_the_day_is_a_name_or_a_number() -> None:
    week = small(demand=[inventory.poisson_demand(m, max=6) for m in (1, 2, 1, 2, 1, 1, 3)])
    assert week.order([0, 1], day="sun").to_dict() == week.order([0, 1], day=6).to_dict()
    with pytest.raises(ValueError, match="accepted: one of mon"):
        week.order([0, 1])
    with pytest.raises(ValueError, match="did you mean sunday"):
        week.order([0, 1], day="sundae")
    with pytest.raises(ValueError, match="all days of this plan are alike"):
        small().order([0, 1], day=0)


@pytest.mark.parametrize("stock", [[1], [3, 248], [-1, 0]])
def test_impossible_stocks_are_refused(stock: list[int]) -> None:
    with pytest.raises(ValueError, match="accepted"):
        small().order(stock)


def test_an_order_for_a_loss_without_slope_bounds_is_refused() -> None:
    stock = small(loss=lambda x: np.where(x > 0, 2 * x, x))
    with pytest.raises(RuntimeError, match="precision-limit: nothing is certified, tolerance = "):
        stock.order([0] * (stock.shelf_life - 1))


def test_a_stock_above_the_capacity_orders_nothing() -> None:
    answer = small().order([3, 3], compare=["base-stock:5"])
    assert (answer.order, len(answer.choices)) == (0, 1)
    assert answer.reason == "Order nothing: the stock of 6 is above the capacity of 5."
    assert answer.compare["base-stock:5"].order == 0


def test_a_saved_solution_is_refused_once_the_plan_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "plan.solution"
    solution = inventory.solve(small())
    solution.save(path)
    loaded = inventory.load_solution(path, small())
    assert (loaded.values == solution.values).all()
    assert (loaded.policy == solution.policy).all()
    with pytest.raises(ValueError, match="risk.gamma: 0.8 when solved, 0.7 now"):
        inventory.load_solution(path, small(gamma=0.7))
    with pytest.raises(ValueError, match="cannot be saved"):
        inventory.solve(small(loss=lambda x: x)).save(path)


def test_a_backtest_adds_up(tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text(RECORDS)
    stock = small()
    result = stock.backtest(records, compare=["base-stock:4"])
    again = inventory.backtest(stock, records, compare=["base-stock:4"])
    assert result.to_dict() == again.to_dict()
    assert (result.days, result.closed_days, result.censored_days) == (5, 1, 1)
    assert list(result.policies) == ["plan", "base-stock:4", "actual"]
    for policy in result.policies.values():
        assert sum(row.cost for row in policy.rows) == pytest.approx(policy.cost)
        assert sum(row.ordered for row in policy.rows) == policy.units_ordered
    solution = inventory.solve(stock)
    known = stock.backtest(records, compare=["base-stock:4"], solution=solution)
    assert known.to_dict() == result.to_dict()
    for row in result.policies["plan"].rows:
        if not row.closed:
            assert row.ordered == solution.order(row.stock)
    with pytest.raises(ValueError, match="did you mean base-stock:S"):
        stock.backtest(records, compare=["basestock:4"])
