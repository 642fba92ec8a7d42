"""Perishable stock: optimal orders, and the value of given ones."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings

import shortfall
from inventory_for_tests import EXAMPLES, inventories, period_risk, small
from shortfall import InvalidInput, inventory
from shortfall.inventory import Inventory


@pytest.mark.parametrize("loss", ["mean", "expectile:0.9", "entropic:0.2"])
def test_shelf_life_one_is_the_newsvendor_problem(loss: str) -> None:
    # Nothing is carried over, so V = min over z of risk(c) + gamma V.
    stock = small(shelf_life=1, loss=loss)
    risks = [period_risk(stock, z, loss) for z in range(stock.capacity + 1)]
    solution = inventory.solve(stock, tolerance=1e-9)
    assert solution.status == "converged"
    assert solution.value([]) == pytest.approx(min(risks) / (1 - stock.gamma), abs=1e-8)
    assert solution.order([]) == np.argmin(risks)
    assert inventory.myopic_orders(stock).tolist() == [np.argmin(risks)]


def all_baselines(stock: Inventory) -> Iterator[np.ndarray]:
    yield inventory.static_orders(stock)
    yield inventory.myopic_orders(stock)
    yield inventory.risk_neutral_orders(stock)
    if np.max(stock.max_order) > 0:
        yield inventory.base_stock_orders(stock, stock.capacity)
        yield inventory.reorder_orders(stock, 0, stock.capacity)
    yield np.zeros(stock.states, dtype=int)


@given(inventories())
@settings(max_examples=40)
def test_nothing_beats_the_optimum(stock: Inventory) -> None:
    best = inventory.solve(stock)
    assert best.status == "converged" and best.error_bound <= 1e-6
    for orders in all_baselines(stock):
        other = inventory.evaluate(stock, orders)
        assert (best.values <= other.values + best.error_bound + other.error_bound).all()
        assert (other.policy == orders).all()
    again = inventory.evaluate(stock, best.policy)
    # The orders are greedy for values within the bound, so they lose at most
    # 2 gamma bound / (1 - gamma) more.
    slack = 2 * best.error_bound / (1 - stock.gamma) + again.error_bound
    assert np.abs(again.values - best.values).max() <= slack


@given(inventories())
@settings(max_examples=25)
def test_the_explicit_model_has_the_same_solution(stock: Inventory) -> None:
    best = inventory.solve(stock)
    model = inventory.explicit_mdp(stock)
    plain = shortfall.solve(model, stock.loss, stock.gamma)
    assert np.abs(plain.values - best.values).max() <= best.error_bound + plain.error_bound


def test_an_explicit_model_that_is_too_large_is_rejected_before_it_is_built() -> None:
    stock = Inventory.from_toml(EXAMPLES / "platelets.toml")
    with pytest.raises(InvalidInput, match="an inventory of .* outcomes; accepted: at most"):
        inventory.explicit_mdp(stock)


def test_the_published_stopping_rule_is_within_its_error_bound() -> None:
    stock = small()
    best = inventory.solve(stock, tolerance=1e-9)
    published = inventory.solve(stock, stopping="paper", tolerance=1e-4)
    distance = np.abs(published.values - best.values).max()
    assert 1e-9 < distance <= published.error_bound + best.error_bound
    assert published.trace[-1].residual < 1e-4 <= published.trace[-2].residual
    assert published.status == "small-change"


def test_good_starting_values_save_iterations() -> None:
    stock = small(loss="expectile:0.9", gamma=0.95)
    first = inventory.solve(stock)
    again = inventory.solve(stock, start=first.values)
    assert again.iterations == 1 < first.iterations
    with pytest.raises(InvalidInput, match="2 starting values for 21 states"):
        inventory.solve(stock, start=[0.0, 1.0])
    with pytest.raises(InvalidInput, match="start has no values"):
        inventory.solve(stock, start=np.empty(0))


def test_results_are_views_that_keep_their_owner_alive() -> None:
    stock = small()
    solution = inventory.solve(stock)
    for name in ("values", "policy"):
        assert np.shares_memory(getattr(solution, name), getattr(solution, name))
        with pytest.raises(ValueError, match="read-only"):
            getattr(solution, name)[0] = 1
    assert solution.policy.dtype == np.int32
    assert np.shares_memory(stock.stocks, stock.stocks)
    values, expected = solution.values, solution.values.copy()
    stocks, rows = stock.stocks, stock.stocks.copy()
    del solution, stock
    gc.collect()
    inventory.solve(small())
    assert (values == expected).all() and (stocks == rows).all()


def test_a_solution_gives_order_and_value_by_stock() -> None:
    stock = small(demand=[[0.2, 0.8]] * 6 + [[0.1, 0.0, 0.9]])
    solution = inventory.solve(stock)
    number = stock.index([2, 1], 6)
    assert solution.value([2, 1], day=6) == solution.values[number]
    assert solution.order([2, 1], day=6) == solution.policy[number]
    assert solution.inventory is stock
    assert repr(solution).startswith("InventorySolution(converged, 147 states, ")
    with pytest.raises(InvalidInput, match="day = 7"):
        solution.value([0, 0], day=7)


def test_the_monitor_sees_every_iteration_and_can_stop() -> None:
    stock = small()
    seen: list[shortfall.Progress] = []
    solution = inventory.solve(stock, monitor=seen.append, threads=2)
    assert [p.error_bound for p in seen if p.fraction == 0 and p.done > 0] == [
        record.error_bound for record in solution.trace
    ]
    assert any(0 < progress.fraction <= 1 for progress in seen)

    stopped = inventory.solve(stock, monitor=lambda progress: progress.done < 1)
    assert stopped.status == "stopped"
    error = np.abs(stopped.values - solution.values).max()
    assert error <= stopped.error_bound + solution.error_bound < np.inf


def test_a_solve_that_was_stopped_before_it_had_a_bound_has_no_orders(tmp_path: Path) -> None:
    stopped = inventory.solve(small(), monitor=lambda _: False)
    assert (stopped.status, stopped.error_bound) == ("stopped", np.inf)
    assert stopped.order_at_empty is None and stopped.policy.size == 0
    with pytest.raises(shortfall.InvalidInput, match="there are no orders"):
        stopped.order([0] * (small().shelf_life - 1))
    with pytest.raises(shortfall.InvalidInput, match="the solution has no orders"):
        small().order([0] * (small().shelf_life - 1), solution=stopped)
    with pytest.raises(shortfall.InvalidInput, match="accepted: converged or small-change"):
        stopped.save(tmp_path / "stopped.solution")


def test_an_exception_in_the_monitor_stops_the_solver() -> None:
    class Enough(Exception):
        pass

    def refuse(_: object) -> None:
        raise Enough("no more")

    stock = Inventory.from_toml(EXAMPLES / "platelets3.toml")
    with pytest.raises(Enough, match="no more"):
        inventory.solve(stock, monitor=refuse)
    with pytest.raises(Enough, match="no more"):
        inventory.evaluate(stock, inventory.static_orders(stock), monitor=refuse)
    with pytest.raises(TypeError):
        inventory.solve(stock, monitor=5)  # type: ignore[arg-type]


def test_a_python_function_may_be_the_loss() -> None:
    def tilted(x: np.ndarray) -> np.ndarray:
        return np.where(x > 0, 0.8 * x, 0.2 * x)

    built_in = small(capacity=3, shelf_life=2)
    own = built_in.replace(loss=shortfall.Loss(tilted, slope_bounds=(0.2, 0.8)))
    ours, theirs = inventory.solve(own, threads=2), inventory.solve(built_in)
    assert np.abs(ours.values - theirs.values).max() <= ours.error_bound + theirs.error_bound
    for make in (inventory.static_orders, inventory.myopic_orders):
        assert (make(own) == make(built_in)).all()
    learned = inventory.train(own, iterations=1, samples=2000, trajectories=2, warmup=100)
    exact = inventory.evaluate(built_in, learned.policy)
    difference = abs(learned.values[0] - exact.values[0])
    assert difference <= learned.error_bound + exact.error_bound


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0.0}, "tolerance = 0; accepted: a number > 0"),
        ({"max_iterations": 0}, "max_iterations = 0; accepted: at least 1"),
        ({"stopping": "soon"}, "stopping 'soon'; accepted: certified, paper"),
    ],
)
def test_invalid_options_are_rejected(options: dict[str, Any], message: str) -> None:
    stock = small()
    for call in (inventory.solve, lambda s, **o: inventory.evaluate(s, np.zeros(21, int), **o)):
        with pytest.raises(InvalidInput) as error:
            call(stock, **options)
        assert message in str(error.value)


@pytest.mark.parametrize("use", [inventory.evaluate, inventory.simulate, inventory.estimate])
def test_invalid_orders_are_rejected(use: Callable[..., object]) -> None:
    stock = small()
    with pytest.raises(InvalidInput, match="20 orders for 21 states"):
        use(stock, np.zeros(20, dtype=int))
    with pytest.raises(InvalidInput, match="order 6 in state 0, with 0 units in stock; accepted"):
        use(stock, np.full(21, 6))
    with pytest.raises(InvalidInput, match="order 4294967296 in state 0; accepted: 0 to 5"):
        use(stock, np.full(21, 2**32))
    with pytest.raises(InvalidInput, match="orders has 2 dimensions"):
        use(stock, np.zeros((21, 1), dtype=int))
    with pytest.raises(TypeError):
        use(stock, np.zeros(21))
