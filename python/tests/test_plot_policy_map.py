"""Maps of orders: the contents of their artists, for a minimal stand-in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plot_for_tests import cell_texts, closed_figures, few  # noqa: F401
from shortfall import InvalidInput, plot


@dataclass
class Inventory:
    shelf_life: int
    capacity: int
    days: int = 1
    stocks: list[tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        amounts = product(range(self.capacity + 1), repeat=self.shelf_life - 1)
        self.stocks = [stock for stock in amounts if sum(stock) <= self.capacity]

    @property
    def states(self) -> int:
        return self.days * len(self.stocks)

    def index(self, stock: Sequence[int], day: int = 0) -> int:
        return day * len(self.stocks) + self.stocks.index(tuple(stock))


@few
@given(st.data())
def test_each_feasible_cell_shows_its_order_and_other_cells_are_empty(data: st.DataObject) -> None:
    inventory = Inventory(3, data.draw(st.integers(1, 5)), days=7)
    day = data.draw(st.integers(0, 6))
    orders = data.draw(st.lists(st.integers(0, 20), min_size=inventory.states,
                                max_size=inventory.states))
    ax = plot.policy_map(inventory, orders, day=day)
    wanted = {stock: orders[inventory.index(stock, day)] for stock in inventory.stocks}
    assert cell_texts(ax) == wanted
    shades = ax.collections[0].get_array().reshape((inventory.capacity + 1,) * 2)
    for x, y in product(range(inventory.capacity + 1), repeat=2):
        if (x, y) in wanted:
            assert shades[y, x] == wanted[x, y]
        else:
            assert shades[y, x] is np.ma.masked
    plt.close("all")


def test_the_title_names_the_day_if_days_differ() -> None:
    weekly, daily = Inventory(3, 2, days=7), Inventory(3, 2)
    orders = np.zeros(weekly.states, int)
    assert plot.policy_map(weekly, orders, day=6).get_title() == "Units to order on a Sunday"
    assert plot.policy_map(daily, orders[:daily.states]).get_title() == "Units to order"


def test_with_many_ages_the_oldest_and_the_freshest_are_shown_and_others_are_empty() -> None:
    inventory = Inventory(5, 3)
    orders = np.arange(inventory.states)
    ax = plot.policy_map(inventory, orders)
    assert cell_texts(ax) == {(x, y): inventory.index((x, 0, 0, y))
                              for x in range(4) for y in range(4 - x)}
    assert ax.get_xlabel() == "units with 1 period left"
    assert ax.get_ylabel() == "units with 4 periods left"
    assert "none of other ages" in ax.get_title()


def test_ages_choose_the_axes_in_their_order() -> None:
    inventory = Inventory(4, 3)
    orders = np.arange(inventory.states)
    ax = plot.policy_map(inventory, orders, ages=(3, 2))
    assert cell_texts(ax)[(2, 1)] == inventory.index((0, 1, 2))
    bars = plot.policy_map(inventory, orders, ages=[2]).patches
    assert [bar.get_height() for bar in bars] == [inventory.index((0, x, 0)) for x in range(4)]


def test_one_age_is_drawn_as_bars() -> None:
    ax = plot.policy_map(Inventory(2, 4), [4, 3, 3, 0, 0])
    assert [bar.get_height() for bar in ax.patches] == [4, 3, 3, 0, 0]
    assert [text.get_text() for text in ax.texts] == ["4", "3", "3", "0", "0"]
    assert ax.get_ylabel() == "units to order"


def test_cells_too_small_for_numbers_have_a_colour_bar() -> None:
    small, large = Inventory(3, 20), Inventory(3, 60)
    ax = plot.policy_map(small, np.zeros(small.states, int))
    assert len(cell_texts(ax)) == 231 and len(ax.figure.axes) == 1
    ax = plot.policy_map(large, np.zeros(large.states, int))
    assert cell_texts(ax) == {} and len(ax.figure.axes) == 2


def test_errors_of_the_policy_map_say_what_is_accepted() -> None:
    inventory = Inventory(3, 2)
    orders = np.zeros(6, int)
    for ages in [(0, 1), (1, 3), (1, 1), (), (1, 2, 1)]:
        with pytest.raises(InvalidInput, match="accepted: one or two different ones, 1 to 2 per"):
            plot.policy_map(inventory, orders, ages=ages)
    for day in [-1, 1]:
        with pytest.raises(InvalidInput, match=f"day {day}; accepted: 0 to 0"):
            plot.policy_map(inventory, orders, day=day)
    for wrong in [orders[1:], orders.astype(float), orders.reshape(2, 3)]:
        with pytest.raises(InvalidInput, match="accepted: 6 integers, one per state"):
            plot.policy_map(inventory, wrong)
    with pytest.raises(InvalidInput, match="accepted: shelf life 2 or longer"):
        plot.policy_map(Inventory(1, 2), [1])
    assert plt.get_fignums() == []
