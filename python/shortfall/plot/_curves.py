"""Curves of error bounds and losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from matplotlib.axes import Axes

from .. import InvalidInput
from ._given import by_name, subject
from ._style import axes, finite, line, whole_numbers

if TYPE_CHECKING:
    from .. import Solution
    from ..inventory import InventorySolution


def trace(
    solutions: Solution | InventorySolution | Mapping[str, Solution | InventorySolution],
    *,
    ax: Axes | None = None,
) -> Axes:
    """The certified error bound of solvers by iteration, on a logarithmic axis.

    Examples
    --------
    >>> from shortfall import plot
    >>> methods = ("value-iteration", "policy-iteration")
    >>> model = sf.library.forest()
    >>> ax = plot.trace({m: sf.solve(model, "expectile:0.9", 0.9, method=m) for m in methods})
    >>> values, policies = (len(line.get_xdata()) for line in ax.get_lines())
    >>> policies < values
    True
    """
    named: dict[str, Solution | InventorySolution] = by_name(solutions, "Solution", "trace")
    for name, solution in named.items():
        if not solution.trace:
            raise InvalidInput(f"{subject('solution', name)} has an empty trace; "
                               "accepted: a trace with at least one iteration")
    ax = axes(ax)
    ax.set_yscale("log")
    for k, (name, solution) in enumerate(named.items()):
        iterations = np.array([record.iteration for record in solution.trace])
        bounds = np.array([record.error_bound for record in solution.trace])
        ax.plot(iterations, finite(bounds), label=name, **line(k, len(iterations)))
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel("iteration")
    ax.set_ylabel(r"certified bound on $\max\,|V - V^*|$")
    if isinstance(solutions, Mapping):
        ax.legend()
    return ax


def loss(
    losses: Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]],
    span: tuple[float, float] = (-1.0, 1.0),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Loss functions over an interval of x, the cost minus the risk value.

    Examples
    --------
    >>> from shortfall import plot
    >>> ax = plot.loss({name: sf.Loss(name) for name in ("mean", "expectile:0.9")}, (-2.0, 2.0))
    >>> ax.get_xlim()
    (-2.0, 2.0)
    """
    named: dict[str, Callable[[Any], Any]] = by_name(losses, "Loss", "__call__")
    low, high = span
    if not -np.inf < low < high < np.inf:
        raise InvalidInput(f"span ({low}, {high}); accepted: two finite numbers, the lower first")
    x = np.linspace(low, high, 401)
    if low < 0.0 < high:  # losses have a kink at 0
        x = np.union1d(x, [0.0])
    ax = axes(ax)
    ax.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
    ax.axvline(0.0, color="0.7", linewidth=0.8, zorder=0)
    for k, (name, function) in enumerate(named.items()):
        ax.plot(x, function(x), label=name, **line(k, len(x), marker=False))
    ax.set_xlim(low, high)
    ax.set_xlabel("$x$, cost above the level")
    ax.set_ylabel(r"$\ell(x)$")
    if isinstance(losses, Mapping):
        ax.legend()
    return ax
