"""Cost distributions: the contents of their artists, for a minimal stand-in."""

from __future__ import annotations

import math
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plot_for_tests import closed_figures, few, histograms, legend  # noqa: F401
from shortfall import InvalidInput, plot

costs = st.lists(st.integers(0, 10**6).map(lambda cents: 0.01 * cents), min_size=1, max_size=50)


@dataclass
class Simulation:
    discounted_cost: np.ndarray

    @property
    def mean(self) -> float:
        return self.discounted_cost.mean()

    def quantile(self, q: float) -> float:
        return np.sort(self.discounted_cost)[max(1, math.ceil(q * len(self.discounted_cost))) - 1]


@few
@given(st.lists(costs, min_size=1, max_size=3))
def test_every_replication_is_in_a_bin_and_bins_are_common(samples: list[list[float]]) -> None:
    named = {f"policy {k}": Simulation(np.array(sample)) for k, sample in enumerate(samples)}
    found = histograms(plot.cost_distribution(named))
    assert len(found) == len(samples)
    alike = len({len(sample) for sample in samples}) == 1
    for (counts, edges), sample in zip(found, samples):
        assert sum(counts) == pytest.approx(len(sample) if alike else 100.0, rel=1e-12)
        assert edges.tolist() == found[0][1].tolist()
        assert edges[0] <= min(sample) and max(sample) <= edges[-1]
    plt.close("all")


def test_counts_are_those_of_the_bins() -> None:
    sample = np.random.default_rng(1).gamma(20.0, 2.0, 1000)
    ax = plot.cost_distribution(Simulation(sample))
    ((counts, edges),) = histograms(ax)
    below = np.searchsorted(np.sort(sample), edges[1:-1])  # values below each inner edge
    assert np.cumsum(counts)[:-1].tolist() == below.tolist()
    assert 10 <= len(counts) <= 80
    assert ax.get_ylabel() == "replications"
    assert ax.get_ylim()[1] > max(counts)


def test_one_outlier_does_not_create_too_many_bins() -> None:
    sample = np.append(np.random.default_rng(1).normal(50.0, 1e-9, 1000), 1e6)
    assert len(histograms(plot.cost_distribution(Simulation(sample)))[0][0]) == 80


def test_marks_are_at_the_quantiles_and_labelled() -> None:
    named = {"a": Simulation(np.arange(1.0, 101.0)), "b": Simulation(np.arange(2.0, 202.0, 2.0))}
    ax = plot.cost_distribution(named, quantiles=(0.95, 0.25, 0.5, 0.75, 0.05))
    a, b = ax.get_lines()
    assert a.get_xdata().tolist() == [5.0, 25.0, 50.0, 75.0, 95.0]
    assert b.get_xdata().tolist() == [10.0, 50.0, 100.0, 150.0, 190.0]
    assert a.get_marker() != b.get_marker()
    assert sorted(text.get_text() for text in ax.texts) == sorted(
        ["5", "50", "95", "10", "100", "190"])
    assert legend(ax) == ["a (average 50.5)", "b (average 101)"]
    assert "5, 25, 50, 75, 95 %" in ax.get_xlabel()


def test_different_numbers_of_replications_are_compared_in_per_cent() -> None:
    named = {"a": Simulation(np.arange(10.0)), "b": Simulation(np.arange(30.0))}
    ax = plot.cost_distribution(named)
    assert ax.get_ylabel() == "replications, %"
    assert [sum(counts) for counts, _ in histograms(ax)] == pytest.approx([100.0, 100.0])


def test_many_rows_of_marks_leave_half_of_the_height_to_the_histograms() -> None:
    named = {f"policy {k}": Simulation(np.arange(10.0)) for k in range(20)}
    ax = plot.cost_distribution(named)
    highest = max(max(counts) for counts, _ in histograms(ax))
    assert 0.45 < highest / ax.get_ylim()[1] < 0.5
    rows = [line.get_ydata()[0] for line in ax.get_lines()]
    assert 1.0 > rows[0] and rows[-1] > 0.5 and rows == sorted(rows, reverse=True)


def test_no_quantiles_no_marks() -> None:
    ax = plot.cost_distribution(Simulation(np.arange(10.0)), quantiles=())
    assert len(ax.get_lines()) == 0 and len(ax.texts) == 0
    assert ax.get_xlabel() == "discounted cost"


def test_a_constant_cost_fills_one_bin() -> None:
    ax = plot.cost_distribution(Simulation(np.full(7, 3.0)))
    ((counts, edges),) = histograms(ax)
    assert counts.max() == 7 and sum(counts) == 7


def test_no_simulation_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="empty dictionary; accepted: name to Simulation"):
        plot.cost_distribution({})
