"""Maps of orders by stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from .. import InvalidInput
from ._style import COLOURS, axes, whole_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..inventory import Inventory

_SHADES = ListedColormap(colormaps["Blues"](np.linspace(0.08, 0.92, 256)))
_SMALLEST_FONT = 4.5  # in points
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def policy_map(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    day: int = 0,
    ages: Sequence[int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Orders by stock: bars for one age, or a map for two ages with the order in each cell.

    `ages` are one or two ages, in periods left (1 .. m - 1), shown on the axes. The stock of all
    other ages is zero. By default, the oldest and the freshest age are shown. Stocks above the
    capacity stay blank. Shades are the same for all days. If cells are too small for numbers, there
    is a colour bar.

    Examples
    --------
    >>> from shortfall import plot
    >>> stock = sf.inventory.Inventory(
    ...     shelf_life=3, capacity=4, demand=[0.2, 0.3, 0.3, 0.2], loss="expectile:0.9", gamma=0.6,
    ...     cost={"order": 1, "holding": 1, "shortage": 10, "wastage": 5})
    >>> ax = plot.policy_map(stock, sf.inventory.solve(stock).policy)
    >>> ax.get_xlabel()
    'units with 1 period left'
    """
    by_state = _checked_orders(inventory, orders, day)
    shown = _checked_ages(inventory, ages)
    by_amounts = _orders_by_amounts(inventory, by_state, day, shown)
    ax = axes(ax)
    if len(shown) == 1:
        _draw_bars(ax, by_amounts)
        ax.set_ylabel("units to order")
    else:
        _draw_cells(ax, by_amounts, largest=max(1, int(by_state.max())))
        ax.set_ylabel(_units_of(shown[1]))
    ax.set_xlabel(_units_of(shown[0]))
    ax.xaxis.set_major_locator(whole_numbers())
    ax.yaxis.set_major_locator(whole_numbers())
    on_day = f" on a {_DAYS[day]}" if inventory.days > 1 else ""
    others = "" if len(shown) == inventory.shelf_life - 1 else ", with none of other ages in stock"
    ax.set_title(f"Units to order{on_day}{others}")
    return ax


def _checked_orders(inventory: Inventory, orders: ArrayLike, day: int) -> NDArray[Any]:
    if not 0 <= day < inventory.days:
        raise InvalidInput(f"day {day}; accepted: 0 to {inventory.days - 1}")
    by_state = np.asarray(orders)
    if by_state.shape != (inventory.states,) or by_state.dtype.kind not in "iu":
        raise InvalidInput(f"orders of shape {by_state.shape} and type {by_state.dtype}; "
                           f"accepted: {inventory.states} integers, one per state")
    return by_state


def _checked_ages(inventory: Inventory, ages: Sequence[int] | None) -> tuple[int, ...]:
    oldest, freshest = 1, inventory.shelf_life - 1
    if freshest < oldest:
        raise InvalidInput("a map for shelf life 1, where no stock is kept; "
                           "accepted: shelf life 2 or longer")
    if ages is None:
        return (oldest,) if freshest == oldest else (oldest, freshest)
    shown = tuple(ages)
    distinct = len(set(shown)) == len(shown) and len(shown) in (1, 2)
    if not distinct or any(not oldest <= age <= freshest for age in shown):
        raise InvalidInput(f"ages {shown}; accepted: one or two different ones, "
                           f"{oldest} to {freshest} periods left")
    return shown


def _units_of(age: int) -> str:
    return f"units with {age} {'period' if age == 1 else 'periods'} left"


def _orders_by_amounts(
    inventory: Inventory, by_state: NDArray[Any], day: int, ages: Sequence[int]
) -> NDArray[np.float64]:
    """Entry [x] or [x, y] is the order with these amounts of the ages; NaN above the capacity."""
    orders = np.full((inventory.capacity + 1,) * len(ages), np.nan)
    for amounts in np.ndindex(orders.shape):
        if sum(amounts) <= inventory.capacity:
            units = dict(zip(ages, amounts))
            stock = [units.get(age, 0) for age in range(1, inventory.shelf_life)]
            orders[amounts] = by_state[inventory.index(stock, day)]
    return orders


def _draw_bars(ax: Axes, orders: NDArray[np.float64]) -> None:
    bars = ax.bar(range(len(orders)), orders, width=0.85, color=COLOURS[0])
    size = _cell_font(ax, len(orders))
    if size >= _SMALLEST_FONT:
        ax.bar_label(bars, fontsize=size, fmt="%.0f")
    ax.margins(x=0.02)


def _draw_cells(ax: Axes, orders: NDArray[np.float64], largest: int) -> None:
    amounts = np.arange(len(orders))
    ax.grid(False)
    mesh = ax.pcolormesh(amounts, amounts, orders.T, cmap=_SHADES, shading="nearest", vmin=0,
                         vmax=largest)
    size = _cell_font(ax, len(orders))
    if size < _SMALLEST_FONT:
        ax.figure.colorbar(mesh, ax=ax, label="units to order", ticks=whole_numbers())
    else:
        mesh.set(edgecolor=ax.get_facecolor(), linewidth=0.5)
        _write_numbers(ax, orders, mesh, size)
    ax.set(xlim=(-0.5, len(orders) - 0.5), ylim=(-0.5, len(orders) - 0.5))
    ax.text(0.97, 0.97, f"above capacity\n({len(orders) - 1} units)", transform=ax.transAxes,
            ha="right", va="top", color="0.5")


def _write_numbers(ax: Axes, orders: NDArray[np.float64], mesh: Any, size: float) -> None:
    for x, y in np.argwhere(np.isfinite(orders)):
        luminance = np.array(mesh.to_rgba(orders[x, y])[:3]) ** 2.2 @ (0.2126, 0.7152, 0.0722)
        ax.text(x, y, f"{orders[x, y]:.0f}", ha="center", va="center", fontsize=size,
                color="black" if luminance > 0.2 else "white")


def _cell_font(ax: Axes, cells: int) -> float:
    """The font size in points at which two digits fit in a cell, with `cells` cells per side."""
    box = ax.get_window_extent()
    points = 72.0 / ax.figure.dpi / cells
    usual = float(plt.rcParams["font.size"])
    return float(min(0.6 * points * box.width, 0.75 * points * box.height, usual))
