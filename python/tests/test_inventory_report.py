"""Perishable stock: the HTML report for planners."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import shortfall
from inventory_for_tests import small
from shortfall import inventory

QUICK: dict[str, Any] = {"periods": 20, "replications": 50}


def page_data(page: Path) -> Any:
    text = page.read_text()
    begin = text.index('id="data">') + len('id="data">')
    return json.loads(text[begin : text.index("</script>", begin)])


def test_the_page_has_the_data_that_are_returned(tmp_path: Path) -> None:
    page = tmp_path / "plan.html"
    plan = small().report(page, levels=[0.2, 0.9], **QUICK)
    data = page_data(page)
    assert data.pop("conclusions")["attitude"]["kind"] == "averse"
    assert len(data.pop("values")["digits"]) == 5 * plan.model.states
    assert data.pop("own_rules") == []
    assert data == plan.to_dict()
    assert [row.level for row in plan.levels] == [0.2, 0.8, 0.9]
    assert plan.source == "a Python program"
    assert (plan.simulation.periods, plan.simulation.replications) == (20, 50)
    assert os.listdir(tmp_path) == ["plan.html"]


def test_the_function_and_the_method_are_the_same(tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    inventory.report(small(), one, **QUICK)
    small().report(str(two), threads=1, **QUICK)
    assert one.read_bytes() == two.read_bytes()


def test_it_recommends_what_solve_and_simulate_find(tmp_path: Path) -> None:
    stock = small()
    plan = stock.report(tmp_path / "plan.html", seed=3, **QUICK)
    best = inventory.solve(stock)
    assert plan.recommendation.value_at_empty == best.values[0]
    assert plan.recommendation.order_at_empty == [best.policy[0]]
    expected = inventory.simulate(stock, best.policy, seed=3, **QUICK)
    assert plan.policies[0].cost_mean == expected.mean
    assert plan.policies[0].cost_q95 == expected.quantile(0.95)


def test_the_tables_are_written_as_csv(tmp_path: Path) -> None:
    stock = small()
    stock.report(tmp_path / "plan.html", csv=tmp_path / "data", **QUICK)
    orders = inventory.read_orders(tmp_path / "data" / "orders.csv", stock)
    assert (orders == inventory.solve(stock).policy).all()
    assert (tmp_path / "data" / "levels.csv").read_text().startswith("parameter,level,")


def test_a_loss_of_ones_own(tmp_path: Path) -> None:
    loss = shortfall.Loss(lambda x: 2 * x, slope_bounds=(1, 3))
    plan = small(loss=loss).report(tmp_path / "plan.html", **QUICK)
    assert [row.loss for row in plan.levels] == ["custom"]


def test_own_rules_and_records(tmp_path: Path) -> None:
    stock = small()
    rows = [f"2026-02-{day:02d},{day % 3},1" for day in range(1, 29)]
    records = tmp_path / "records.csv"
    records.write_text("date,demand,ordered\n" + "\n".join(rows) + "\n")
    page = tmp_path / "plan.html"
    plan = stock.report(
        page,
        policy=["base-stock:2"],
        records=records,
        title="Platelets",
        currency="EUR",
        date="today",
        **QUICK,
    )
    assert (plan.product, plan.currency, plan.date) == ("Platelets", "EUR", "today")
    assert [row.policy for row in plan.policies if row.is_own] == ["base-stock:2", "fixed:1"]
    assert [rule["policy"] for rule in page_data(page)["own_rules"]] == ["base-stock:2", "fixed:1"]
    expected = inventory.backtest(stock, records, compare=["base-stock:2", "fixed:1"])
    assert plan.records is not None
    for row in plan.records.backtest.policies:
        assert row.cost == expected.policies[row.policy].cost
    warnings = plan.records.backtest.warnings
    assert warnings and not any("--" in warning for warning in warnings)
    with pytest.raises(ValueError, match=r"base-stok:2"):
        stock.report(page, policy=["base-stok:2"], **QUICK)


def test_nothing_is_written_without_an_answer(tmp_path: Path) -> None:
    page = tmp_path / "plan.html"
    with pytest.raises(RuntimeError, match=r"iteration-limit: certified to within .* only"):
        small().report(page, tolerance=1e-13, max_iterations=1, **QUICK)
    with pytest.raises(ValueError, match=r"expectile level tau = 2.* accepted"):
        small().report(page, levels=[2], **QUICK)
    with pytest.raises(ValueError, match=r"periods = -1; accepted"):
        small().report(page, periods=-1)
    with pytest.raises(ValueError, match=r"periods"):
        small().report(page, periods=0)
    assert os.listdir(tmp_path) == []


def test_a_path_that_cannot_be_written_is_reported_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        small().report(tmp_path / "missing" / "plan.html", replications=10**8, periods=10**9)
