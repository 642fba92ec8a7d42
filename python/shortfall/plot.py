"""Plots of what the package computes, for the notebook: each function draws into `ax`, or into a
figure of its own, and returns the axes. Needs Matplotlib, which nothing else in the package does.

Several results are given as a dictionary, name to result. Series differ in colour (Okabe and Ito's
palette, which the colour-blind can tell apart) and in line style or marker, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Literal, TypeVar

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap
from matplotlib.ticker import MaxNLocator

from . import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from . import Replications, Solution
    from .inventory import Inventory, InventorySolution, Simulation

__all__ = ["convergence", "cost_distribution", "loss", "policy_map", "trace"]

T = TypeVar("T")

# Okabe and Ito's, without yellow, too pale on white, and grey for black, lost in dark styles.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666")
_LINE_STYLES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_SHADES = ListedColormap(colormaps["Blues"](np.linspace(0.08, 0.92, 256)))
_SMALLEST_FONT = 4.5  # in points
_MOST_BINS = 80
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_REFERENCES = {
    "projected_value": "distance to the projected value\n" r"$\Vert\Phi\theta_n - \Pi V\Vert_q$",
    "fixed_point": "distance to the fixed point\n" r"$\Vert\Phi\theta_n - \Phi\theta_*\Vert_q$",
}


def convergence(
    runs: Replications | Mapping[str, Replications],
    *,
    reference: Literal["projected_value", "fixed_point"] = "projected_value",
    ax: Axes | None = None,
) -> Axes:
    """How far learners are from where they should be, by iteration, on logarithmic axes.

    A line is the mean of the replications, its band two standard errors to each side. A
    replication that diverged makes the mean infinite: from there on the thin line is the median,
    and the legend says how many did. The start, iteration 0, has no place on such an axis.

    Examples
    --------
    >>> from shortfall import plot
    >>> drawn = sf.library.random_mdp(features=4, seed=1)
    >>> chain = drawn.model.under_policy(drawn.policy)
    >>> q = sf.theory.stationary_law(chain).probability
    >>> field = sf.theory.MeanField(chain, "mean", 0.5, drawn.features, q)
    >>> goal = drawn.features @ sf.theory.projected_fixed_point(field).theta
    >>> runs = {learner.__name__: sf.replicate(
    ...     learner(4, "mean", 0.5), chain, drawn.features, fixed_point=goal, replications=5,
    ...     record_at=[1, 10, 100, 1000]) for learner in (sf.Td, sf.Newton)}
    >>> ax = plot.convergence(runs, reference="fixed_point")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Td', 'Newton']
    """
    if reference not in _REFERENCES:
        raise InvalidInput(f"reference '{reference}'; accepted: {', '.join(_REFERENCES)}")
    named: dict[str, Replications] = _by_name(runs, "Replications", "iterations")
    distances = {name: _distances(name, run, reference) for name, run in named.items()}
    ax = _axes(ax)
    ax.set_xscale("log")
    ax.set_yscale("log")
    for k, (name, run) in enumerate(named.items()):
        _draw_replications(ax, k, _replications_label(name, run), run, distances[name])
    ax.set_xlabel("iteration $n$")
    ax.set_ylabel(_REFERENCES[reference])
    ax.legend(title="mean ± 2 standard errors", fontsize="small", title_fontsize="small")
    return ax


def trace(
    solutions: Solution | InventorySolution | Mapping[str, Solution | InventorySolution],
    *,
    ax: Axes | None = None,
) -> Axes:
    """The certified error bound of solvers, by iteration, on a logarithmic axis.

    Examples
    --------
    >>> from shortfall import plot
    >>> ways = ("value-iteration", "policy-iteration")
    >>> model = sf.library.forest()
    >>> ax = plot.trace({way: sf.solve(model, "expectile:0.9", 0.9, method=way) for way in ways})
    >>> values, policies = (len(line.get_xdata()) for line in ax.get_lines())
    >>> policies < values
    True
    """
    named: dict[str, Solution | InventorySolution] = _by_name(solutions, "Solution", "trace")
    for name, solution in named.items():
        if not solution.trace:
            raise InvalidInput(f"{_subject('solution', name)} has an empty trace; "
                               "accepted: one of at least one iteration")
    ax = _axes(ax)
    ax.set_yscale("log")
    for k, (name, solution) in enumerate(named.items()):
        iterations = np.array([record.iteration for record in solution.trace])
        bounds = np.array([record.error_bound for record in solution.trace])
        ax.plot(iterations, _finite(bounds), label=name, **_line(k, len(iterations)))
    ax.xaxis.set_major_locator(_whole_numbers())
    ax.set_xlabel("iteration")
    ax.set_ylabel(r"certified bound on $\max\,|V - V^*|$")
    if isinstance(solutions, Mapping):
        ax.legend()
    return ax


def policy_map(
    inventory: Inventory,
    orders: ArrayLike,
    *,
    day: int = 0,
    ages: Sequence[int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """What to order, by stock: of one age as bars, of two as a map with the order in each cell.

    `ages` are the periods left of the units that the axes count, one or two of 1 .. m - 1; there
    are none of any other age. Default: the oldest and the freshest. Stocks above the capacity stay
    blank. Shades are the same for all days; cells too small for numbers have a colour bar.

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
    ax = _axes(ax)
    if len(shown) == 1:
        _draw_bars(ax, by_amounts)
        ax.set_ylabel("units to order")
    else:
        _draw_cells(ax, by_amounts, largest=max(1, int(by_state.max())))
        ax.set_ylabel(_units_of(shown[1]))
    ax.set_xlabel(_units_of(shown[0]))
    ax.xaxis.set_major_locator(_whole_numbers())
    ax.yaxis.set_major_locator(_whole_numbers())
    on_day = f" on a {_DAYS[day]}" if inventory.days > 1 else ""
    others = "" if len(shown) == inventory.shelf_life - 1 else ", with none of other ages in stock"
    ax.set_title(f"Units to order{on_day}{others}")
    return ax


def cost_distribution(
    simulations: Simulation | Mapping[str, Simulation],
    *,
    quantiles: Sequence[float] = (0.05, 0.5, 0.95),
    ax: Axes | None = None,
) -> Axes:
    """How the discounted cost varies between replications: histograms over common bins, and above
    them a row of marks for each, at its quantiles.

    Counts replications, or per cent of them where the simulations differ in their number.

    Examples
    --------
    >>> from shortfall import plot
    >>> stock = sf.inventory.Inventory(
    ...     shelf_life=3, capacity=4, demand=[0.2, 0.3, 0.3, 0.2], loss="expectile:0.9", gamma=0.6,
    ...     cost={"order": 1, "holding": 1, "shortage": 10, "wastage": 5})
    >>> rules = {"best": sf.inventory.solve(stock).policy,
    ...          "fill to 3": sf.inventory.base_stock_orders(stock, 3)}
    >>> ax = plot.cost_distribution({
    ...     name: sf.inventory.simulate(stock, orders, replications=1000)
    ...     for name, orders in rules.items()})
    >>> ax.get_xlabel()
    'discounted cost; marks: quantiles, 5, 50, 95 %'
    """
    named = _by_name(simulations, "Simulation", "discounted_cost")
    levels = sorted(quantiles)
    marks = {name: [found.quantile(q) for q in levels] for name, found in named.items()}
    row_height = min(0.09, 0.5 / len(named)) if levels else 0.0  # as a fraction of the axes
    sizes = {len(found.discounted_cost) for found in named.values()}
    edges = _common_bins([np.asarray(found.discounted_cost) for found in named.values()])
    ax = _axes(ax)
    highest = 0.0
    for k, (name, found) in enumerate(named.items()):
        counts = np.histogram(found.discounted_cost, edges)[0].astype(float)
        if len(sizes) > 1:
            counts *= 100.0 / len(found.discounted_cost)
        highest = max(highest, float(counts.max()))
        average = f"average {found.mean:.4g}"
        _draw_histogram(ax, k, counts, edges, f"{name} ({average})" if name else average)
        _draw_marks(ax, k, 1.0 - row_height * (k + 0.65), marks[name])
    below_marks = 1.0 - row_height * len(named)
    ax.set_ylim(0.0, highest / (below_marks - 0.03))
    ax.set_ylabel("replications" if len(sizes) == 1 else "replications, %")
    listed = ", ".join(f"{100.0 * q:g}" for q in levels)
    ax.set_xlabel("discounted cost" + (f"; marks: quantiles, {listed} %" if levels else ""))
    ax.margins(x=0.07)
    ax.legend(loc="best", bbox_to_anchor=(0.0, 0.0, 1.0, below_marks), fontsize="small")
    return ax


def loss(
    losses: Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]],
    span: tuple[float, float] = (-1.0, 1.0),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Loss functions over a span: what a cost counts that is x above, or below, the level.

    Examples
    --------
    >>> from shortfall import plot
    >>> ax = plot.loss({word: sf.Loss(word) for word in ("mean", "expectile:0.9")}, (-2.0, 2.0))
    >>> ax.get_xlim()
    (-2.0, 2.0)
    """
    named: dict[str, Callable[[Any], Any]] = _by_name(losses, "Loss", "__call__")
    low, high = span
    if not -np.inf < low < high < np.inf:
        raise InvalidInput(f"span ({low}, {high}); accepted: two finite numbers, the lower first")
    x = np.linspace(low, high, 401)
    if low < 0.0 < high:  # where losses have their kink
        x = np.union1d(x, [0.0])
    ax = _axes(ax)
    ax.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
    ax.axvline(0.0, color="0.7", linewidth=0.8, zorder=0)
    for k, (name, function) in enumerate(named.items()):
        ax.plot(x, function(x), label=name, **_line(k, len(x), marker=False))
    ax.set_xlim(low, high)
    ax.set_xlabel("$x$, cost above the level")
    ax.set_ylabel(r"$\ell(x)$")
    if isinstance(losses, Mapping):
        ax.legend()
    return ax


# --- What is given -------------------------------------------------------------------------------


def _by_name(given: T | Mapping[str, T], accepted: str, attribute: str) -> dict[str, T]:
    """A single result has the empty name."""
    named = dict(given) if isinstance(given, Mapping) else {"": given}
    if not named:
        raise InvalidInput(f"an empty dictionary; accepted: name to {accepted}, one or more")
    for name, result in named.items():
        if not hasattr(result, attribute):
            raise TypeError(f"{_subject('argument', name)} is of type {type(result).__name__}; "
                            f"accepted: {accepted}, or a dictionary of names to them")
    return {str(name): result for name, result in named.items()}


def _subject(kind: str, name: object) -> str:
    return f"the {kind}" if name == "" else f"{kind} '{name}'"


def _distances(name: str, run: Replications, reference: str) -> Any:
    found = getattr(run, f"to_{reference}")
    if found is None:
        raise InvalidInput(f"{_subject('run', name)} has not measured the distance to "
                           f"{reference}; accepted: runs of replicate(..., {reference}=...)")
    return found


def _checked_orders(inventory: Inventory, orders: ArrayLike, day: int) -> NDArray[Any]:
    if not 0 <= day < inventory.days:
        raise InvalidInput(f"day {day}; accepted: 0 to {inventory.days - 1}")
    by_state = np.asarray(orders)
    if by_state.shape != (inventory.states,) or by_state.dtype.kind not in "iu":
        raise InvalidInput(f"orders of shape {by_state.shape} and type {by_state.dtype}; "
                           f"accepted: {inventory.states} integers, one a state")
    return by_state


def _checked_ages(inventory: Inventory, ages: Sequence[int] | None) -> tuple[int, ...]:
    oldest, freshest = 1, inventory.shelf_life - 1
    if freshest < oldest:
        raise InvalidInput("a map by stock for shelf life 1, which keeps none; "
                           "accepted: shelf life 2 or longer")
    if ages is None:
        return (oldest,) if freshest == oldest else (oldest, freshest)
    shown = tuple(ages)
    distinct = len(set(shown)) == len(shown) and len(shown) in (1, 2)
    if not distinct or any(not oldest <= age <= freshest for age in shown):
        raise InvalidInput(f"ages {shown}; accepted: one or two different ones, "
                           f"{oldest} to {freshest} periods left")
    return shown


# --- Series --------------------------------------------------------------------------------------


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def _whole_numbers() -> MaxNLocator:
    return MaxNLocator(integer=True, steps=[1, 2, 5, 10])


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(values), values, np.nan)


def _line(k: int, points: int, *, marker: bool = True) -> dict[str, Any]:
    """How series k is drawn: about ten markers along it, none where those of another are."""
    style: dict[str, Any] = {
        "color": _COLOURS[k % len(_COLOURS)],
        "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)],
    }
    if marker:
        every = max(1, points // 10)
        style |= {"marker": _MARKERS[k % len(_MARKERS)], "markersize": 4.5,
                  "markevery": (k * every // 3 % every, every)}
    return style


def _replications_label(name: str, run: Replications) -> str:
    replications, diverged = len(run.theta), int(run.diverged[-1])
    label = name or f"{replications} replications"
    if diverged == 0:
        return label
    return f"{label} ({diverged} of {replications} diverged; thin: median)"


def _draw_replications(ax: Axes, k: int, label: str, run: Replications, distances: Any) -> None:
    on_axis = np.asarray(run.iterations) > 0
    n = np.asarray(run.iterations)[on_axis]
    mean, error, median = (
        _finite(np.asarray(part)[on_axis])
        for part in (distances.mean, distances.standard_error, distances.median)
    )
    style = _line(k, len(n))
    ax.plot(n, mean, label=label, **style)
    _draw_band(ax, n, mean, 2.0 * error, style["color"])
    thin = np.where(np.isnan(mean), median, np.nan)
    if np.isfinite(thin).any():
        ax.plot(n, thin, color=style["color"], linestyle=style["linestyle"], linewidth=0.8)


def _draw_band(
    ax: Axes, n: NDArray[Any], mean: NDArray[np.float64], width: NDArray[np.float64], colour: str
) -> None:
    known = np.isfinite(width)
    if not known.any():
        return
    n, lower, upper = n[known], (mean - width)[known], (mean + width)[known]
    outline = np.r_[np.c_[n, upper], np.c_[n, lower][::-1]]
    ax.add_collection(PolyCollection([outline], color=colour, alpha=0.2, linewidth=0.0),
                      autolim=False)
    # A band may go down to zero and beyond: the axis follows it for a decade below the line.
    ax.update_datalim(np.c_[n, upper])
    ax.update_datalim(np.c_[n, np.fmax(lower, np.nanmin(mean) / 10.0)])
    ax.autoscale_view()


# --- Orders by stock -----------------------------------------------------------------------------


def _units_of(age: int) -> str:
    return f"units with {age} {'period' if age == 1 else 'periods'} left"


def _orders_by_amounts(
    inventory: Inventory, by_state: NDArray[Any], day: int, ages: Sequence[int]
) -> NDArray[np.float64]:
    """Entry [x] or [x, y]: with so many units of these ages; NaN above the capacity."""
    orders = np.full((inventory.capacity + 1,) * len(ages), np.nan)
    for amounts in np.ndindex(orders.shape):
        if sum(amounts) <= inventory.capacity:
            units = dict(zip(ages, amounts))
            stock = [units.get(age, 0) for age in range(1, inventory.shelf_life)]
            orders[amounts] = by_state[inventory.index(stock, day)]
    return orders


def _draw_bars(ax: Axes, orders: NDArray[np.float64]) -> None:
    bars = ax.bar(range(len(orders)), orders, width=0.85, color=_COLOURS[0])
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
        ax.figure.colorbar(mesh, ax=ax, label="units to order", ticks=_whole_numbers())
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
    """The size of type at which two digits fit in one of so many cells a side, in points."""
    box = ax.get_window_extent()
    points = 72.0 / ax.figure.dpi / cells
    usual = float(plt.rcParams["font.size"])
    return float(min(0.6 * points * box.width, 0.75 * points * box.height, usual))


# --- Distributions -------------------------------------------------------------------------------


def _bin_width(sample: NDArray[np.float64]) -> float:
    """The rule of Freedman and Diaconis, or Sturges's where that is finer; 0 for a constant."""
    spread = float(np.ptp(sample))
    quartiles = np.percentile(sample, [25, 75])
    sturges = spread / (np.log2(len(sample)) + 1.0)
    width = 2.0 * (quartiles[1] - quartiles[0]) / np.cbrt(len(sample)) or sturges
    return float(max(min(width, sturges), spread / _MOST_BINS))


def _common_bins(samples: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """As wide as each sample has them by itself, in the geometric mean: one that is narrow still
    has a shape, and one that is small does not look like a comb."""
    low = min(float(sample.min()) for sample in samples)
    high = max(float(sample.max()) for sample in samples)
    widths = [width for width in map(_bin_width, samples) if width > 0.0]
    bins = np.ceil((high - low) / np.exp(np.mean(np.log(widths)))) if widths else _MOST_BINS
    return np.histogram_bin_edges([low, high], int(min(bins, _MOST_BINS)))


def _draw_histogram(
    ax: Axes, k: int, counts: NDArray[np.float64], edges: NDArray[np.float64], label: str
) -> None:
    style = _line(k, len(edges), marker=False)
    ax.stairs(counts, edges, label=label, linewidth=1.5, **style)
    ax.stairs(counts, edges, fill=True, color=style["color"], alpha=0.12, linewidth=0.0)


def _draw_marks(ax: Axes, k: int, y: float, quantiles: Sequence[float]) -> None:
    """A row of them; y is a fraction of the height of the axes. Numbers stand beside the outer
    marks and above the middle one, where they cannot meet however near these are."""
    if not quantiles:
        return
    last, across = len(quantiles) - 1, ax.get_xaxis_transform()
    ax.plot(quantiles, [y] * len(quantiles), transform=across, **_line(k, 1))
    sides = {last // 2: ("center", "bottom", (0, 3))}
    if last > 0:
        sides |= {0: ("right", "center", (-6, 0)), last: ("left", "center", (6, 0))}
    for i, (ha, va, offset) in sides.items():
        ax.annotate(f"{quantiles[i]:.4g}", (quantiles[i], y), xycoords=across, xytext=offset,
                    textcoords="offset points", ha=ha, va=va, fontsize="x-small")
