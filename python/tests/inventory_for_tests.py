"""Shared by the inventory tests: small inventories, and the risk of one period."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import shortfall
from shortfall import inventory
from shortfall.inventory import Inventory

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COST = {"order": 2.0, "holding": 1.0, "shortage": 10.0, "wastage": 4.0}
# exp(-1.5) and so on; 6 includes all larger demands.
DEMAND = inventory.poisson_demand(1.5, max=6)


def small(**changes: Any) -> Inventory:
    parts: dict[str, Any] = {"shelf_life": 3, "capacity": 5, "demand": DEMAND, "cost": COST}
    return Inventory(**{**parts, "loss": "expectile:0.8", "gamma": 0.8, **changes})


@st.composite
def inventories(draw: st.DrawFn, days: tuple[int, ...] = (1, 7)) -> Inventory:
    """Tiny inventories of all kinds: weeks, units that arrive old, limited orders, closed days."""
    shelf_life = draw(st.integers(1, 3))
    capacity = draw(st.integers(1, 4))
    quarters = st.integers(0, 40).map(lambda n: n / 4)
    weight = st.integers(1, 9)
    week = draw(st.sampled_from(days))

    def one_or_week(entry: st.SearchStrategy[Any]) -> Any:
        seven = st.lists(entry, min_size=7, max_size=7)
        return draw(entry if week == 1 else entry | seven)

    laws = []
    for _ in range(week):
        law = np.array(draw(st.lists(weight, min_size=1, max_size=5)), dtype=float)
        laws.append(law / law.sum())
    logits = st.lists(st.floats(-2, 2), min_size=shelf_life - 1, max_size=shelf_life - 1)
    some = st.lists(st.integers(0, 3), min_size=shelf_life, max_size=shelf_life)
    shares = some.filter(any).map(lambda s: [n / sum(s) for n in s])
    kind = draw(st.sampled_from(["fresh", "shares", "logits"]))
    return Inventory(
        shelf_life=shelf_life,
        capacity=capacity,
        max_order=one_or_week(st.integers(0, capacity)),
        demand=laws,
        shares=one_or_week(shares) if kind == "shares" else None,
        arrival=(one_or_week(logits), one_or_week(logits)) if kind == "logits" else None,
        cost={name: one_or_week(quarters) for name in [*COST, "unit"]},
        loss=draw(st.sampled_from(["mean", "expectile:0.9", "expectile:0.2", "entropic:0.1"])),
        gamma=draw(st.floats(0.1, 0.9)),
    )


def period_risk(stock: Inventory, order: int, loss: str) -> float:
    """The risk of one period from the empty stock if all remaining units expire."""
    demand = np.arange(len(stock.demand[0]))
    left, lost = np.maximum(order - demand, 0), np.maximum(demand - order, 0)
    cost = (order > 0) * COST["order"] + left * (COST["holding"] + COST["wastage"])
    return shortfall.risk(cost + lost * COST["shortage"], stock.demand[0], loss)
