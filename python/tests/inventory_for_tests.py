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
    """Tiny inventories of all kinds: a week, units that arrive old, limited orders."""
    shelf_life = draw(st.integers(1, 3))
    capacity = draw(st.integers(1, 4))
    quarters = st.integers(0, 40).map(lambda n: n / 4)
    weight = st.integers(1, 9)
    laws = []
    for _ in range(draw(st.sampled_from(days))):
        law = np.array(draw(st.lists(weight, min_size=1, max_size=5)), dtype=float)
        laws.append(law / law.sum())
    logits = st.lists(st.floats(-2, 2), min_size=shelf_life - 1, max_size=shelf_life - 1)
    return Inventory(
        shelf_life=shelf_life,
        capacity=capacity,
        max_order=draw(st.integers(0, capacity)),
        demand=laws,
        arrival=draw(st.none() | st.tuples(logits, logits)),
        cost={name: draw(quarters) for name in COST},
        loss=draw(st.sampled_from(["mean", "expectile:0.9", "expectile:0.2", "entropic:0.1"])),
        gamma=draw(st.floats(0.1, 0.9)),
    )


def period_risk(stock: Inventory, order: int, loss: str) -> float:
    """The risk of one period from the empty stock if all remaining units expire."""
    demand = np.arange(len(stock.demand[0]))
    left, lost = np.maximum(order - demand, 0), np.maximum(demand - order, 0)
    cost = (order > 0) * COST["order"] + left * (COST["holding"] + COST["wastage"])
    return shortfall.risk(cost + lost * COST["shortage"], stock.demand[0], loss)
