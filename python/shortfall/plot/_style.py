"""The common style of series in all plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Okabe and Ito's palette, without yellow (too pale on white), and with grey instead of black (lost
# on dark).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666")
_LINE_STYLES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def axes(ax: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def whole_numbers() -> MaxNLocator:
    return MaxNLocator(integer=True, steps=[1, 2, 5, 10])


def finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(values), values, np.nan)


def line(k: int, points: int, *, marker: bool = True) -> dict[str, Any]:
    """The style of series k: about ten markers, placed apart from those of other series."""
    style: dict[str, Any] = {
        "color": COLOURS[k % len(COLOURS)],
        "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)],
    }
    if marker:
        every = max(1, points // 10)
        style |= {"marker": _MARKERS[k % len(_MARKERS)], "markersize": 4.5,
                  "markevery": (k * every // 3 % every, every)}
    return style
