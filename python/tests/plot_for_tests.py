"""Shared by the plot tests: figures without a screen, and the contents of their artists."""

from __future__ import annotations

from typing import Iterator

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import settings
from matplotlib.axes import Axes

matplotlib.use("Agg")

few = settings(max_examples=15, deadline=None)  # figures take long


@pytest.fixture(autouse=True)  # in the modules that import it
def closed_figures() -> Iterator[None]:
    yield
    plt.close("all")


def legend(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def cell_texts(ax: Axes) -> dict[tuple[int, int], int]:
    """Maps (x, y) to the number shown there."""
    found = [(t.get_position(), t.get_text()) for t in ax.texts]
    return {at: int(text) for at, text in found if text.isdigit()}


def histograms(ax: Axes) -> list[tuple[np.ndarray, np.ndarray]]:
    """The outline of each histogram: (counts, edges)."""
    return [patch.get_data()[:2] for patch in ax.patches if not patch.get_fill()]
