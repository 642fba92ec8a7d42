"""Perishable stock: simple ordering rules, and orders in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from inventory_for_tests import small
from shortfall import InvalidInput, inventory


def test_level_rules_hold_at_every_stock() -> None:
    stock = small(max_order=3)
    total = stock.stocks.sum(axis=1).astype(int)
    up_to = np.minimum(np.maximum(4 - total, 0), 3)
    assert inventory.base_stock_orders(stock, 4).tolist() == up_to.tolist()
    expected = np.where(total <= 1, np.minimum(5 - total, 3), 0)
    assert inventory.reorder_orders(stock, 1, 5).tolist() == expected.tolist()
    for levels in [(2, 2), (1, 6)]:
        with pytest.raises(InvalidInput, match="accepted"):
            inventory.reorder_orders(stock, *levels)
    with pytest.raises(InvalidInput, match="level = -1; accepted"):
        inventory.base_stock_orders(stock, -1)


def test_static_orders_are_the_non_perishable_orders_by_total_stock() -> None:
    stock = small()
    lasting = inventory.non_perishable(stock)
    assert lasting.order.shape == lasting.value.shape == (1, 6)
    total = stock.stocks.sum(axis=1)
    assert (inventory.static_orders(stock) == lasting.order[0][total]).all()
    ((reorder_at, up_to),) = lasting.shape
    assert (inventory.reorder_orders(stock, reorder_at, up_to)[0]) == lasting.order[0, 0]
    # Stock that lasts costs no more than stock that expires.
    values = inventory.solve(stock).values
    assert (lasting.value[0][total] <= values + 1e-6 + lasting.error_bound).all()
    assert repr(lasting).startswith(f"NonPerishable((s, S) = ({reorder_at}, {up_to}), within ")


def test_risk_neutral_orders_are_optimal_for_the_mean() -> None:
    stock = small()
    mean = inventory.solve(stock.replace(loss="mean"))
    assert (inventory.risk_neutral_orders(stock) == mean.policy).all()


def test_orders_are_unchanged_by_a_file(tmp_path: Path) -> None:
    stock = small(demand=[[0.5, 0.5]] * 7)
    orders = inventory.solve(stock).policy
    path = tmp_path / "orders.csv"
    inventory.write_orders(path, stock, orders)
    assert path.read_text().splitlines()[0] == "day,x1,x2,order"
    assert (inventory.read_orders(str(path), stock) == orders).all()
    with pytest.raises(InvalidInput, match="orders.csv"):
        inventory.read_orders(path, small())
    with pytest.raises(OSError, match="nowhere"):
        inventory.write_orders(tmp_path / "nowhere" / "orders.csv", stock, orders)
