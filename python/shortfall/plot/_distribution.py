"""Distribution of the discounted cost of policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ._given import by_name
from ._style import axes, line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..inventory import Simulation

_MOST_BINS = 80


def cost_distribution(
    simulations: Simulation | Mapping[str, Simulation],
    *,
    quantiles: Sequence[float] = (0.05, 0.5, 0.95),
    ax: Axes | None = None,
) -> Axes:
    """Distribution of the discounted cost over replications: histograms with common bins, and above
    them a row of marks at the quantiles of each.

    The vertical axis counts replications, or percent of them if their numbers differ.

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
    named = by_name(simulations, "Simulation", "discounted_cost")
    levels = sorted(quantiles)
    marks = {name: [found.quantile(q) for q in levels] for name, found in named.items()}
    row_height = min(0.09, 0.5 / len(named)) if levels else 0.0  # as a fraction of the axes
    sizes = {len(found.discounted_cost) for found in named.values()}
    edges = _common_bins([np.asarray(found.discounted_cost) for found in named.values()])
    ax = axes(ax)
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


def _bin_width(sample: NDArray[np.float64]) -> float:
    """The rule of Freedman and Diaconis, or Sturges's if that is finer; 0 for a constant."""
    spread = float(np.ptp(sample))
    quartiles = np.percentile(sample, [25, 75])
    sturges = spread / (np.log2(len(sample)) + 1.0)
    width = 2.0 * (quartiles[1] - quartiles[0]) / np.cbrt(len(sample)) or sturges
    return float(max(min(width, sturges), spread / _MOST_BINS))


def _common_bins(samples: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Bins with the geometric mean of the samples' own widths: narrow samples keep their shape, and
    small samples do not look ragged."""
    low = min(float(sample.min()) for sample in samples)
    high = max(float(sample.max()) for sample in samples)
    widths = [width for width in map(_bin_width, samples) if width > 0.0]
    bins = np.ceil((high - low) / np.exp(np.mean(np.log(widths)))) if widths else _MOST_BINS
    return np.histogram_bin_edges([low, high], int(min(bins, _MOST_BINS)))


def _draw_histogram(
    ax: Axes, k: int, counts: NDArray[np.float64], edges: NDArray[np.float64], label: str
) -> None:
    style = line(k, len(edges), marker=False)
    ax.stairs(counts, edges, label=label, linewidth=1.5, **style)
    ax.stairs(counts, edges, fill=True, color=style["color"], alpha=0.12, linewidth=0.0)


def _draw_marks(ax: Axes, k: int, y: float, quantiles: Sequence[float]) -> None:
    """Draw a row of marks; y is a fraction of the height of the axes. Labels are beside the outer
    marks and above the middle one, so that they never overlap."""
    if not quantiles:
        return
    last, across = len(quantiles) - 1, ax.get_xaxis_transform()
    ax.plot(quantiles, [y] * len(quantiles), transform=across, **line(k, 1))
    sides = {last // 2: ("center", "bottom", (0, 3))}
    if last > 0:
        sides |= {0: ("right", "center", (-6, 0)), last: ("left", "center", (6, 0))}
    for i, (ha, va, offset) in sides.items():
        ax.annotate(f"{quantiles[i]:.4g}", (quantiles[i], y), xycoords=across, xytext=offset,
                    textcoords="offset points", ha=ha, va=va, fontsize="x-small")
