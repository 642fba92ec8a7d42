"""Curves: the contents of their artists. Stand-ins have only the attributes that plots read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from numpy.typing import ArrayLike

from plot_for_tests import closed_figures, legend  # noqa: F401
from shortfall import InvalidInput, plot


@dataclass
class Summary:
    mean: np.ndarray
    standard_error: np.ndarray
    median: np.ndarray


@dataclass
class Replications:
    iterations: np.ndarray
    to_projected_value: Summary | None
    to_fixed_point: Summary | None
    diverged: np.ndarray
    theta: np.ndarray


def replications(
    mean: ArrayLike,
    error: ArrayLike,
    *,
    median: ArrayLike | None = None,
    iterations: ArrayLike | None = None,
    diverged: ArrayLike | None = None,
    fixed: Summary | None = None,
) -> Replications:
    mean, error = np.array(mean, float), np.array(error, float)
    n = np.arange(1, len(mean) + 1) if iterations is None else np.array(iterations)
    median = mean if median is None else np.array(median, float)
    count = np.zeros(len(mean), int) if diverged is None else np.array(diverged)
    return Replications(n, Summary(mean, error, median), fixed, count, np.zeros((20, 2)))


@dataclass
class Record:
    iteration: int
    residual: float
    error_bound: float


@dataclass
class Solution:
    trace: list[Record]


def solution(*bounds: float) -> Solution:
    return Solution([Record(k + 1, 0.0, bound) for k, bound in enumerate(bounds)])


def band_edges(band: PolyCollection) -> tuple[np.ndarray, list[float], list[float]]:
    """Lower and upper edge by x of a polygon that follows one edge and returns along the other."""
    x, y = band.get_paths()[0].vertices.T
    at = np.unique(x)
    return at, [min(y[x == v]) for v in at], [max(y[x == v]) for v in at]


def test_a_line_is_the_mean_and_its_band_two_standard_errors_to_each_side() -> None:
    run = replications([8.0, 4.0, 2.0], [1.0, 0.5, 0.25], iterations=[1, 10, 100])
    ax = plot.convergence(run)
    (line,), (band,) = ax.get_lines(), ax.collections
    assert line.get_xdata().tolist() == [1, 10, 100]
    assert line.get_ydata().tolist() == [8.0, 4.0, 2.0]
    at, lower, upper = band_edges(band)
    assert at.tolist() == [1, 10, 100]
    assert lower == [6.0, 3.0, 1.5]
    assert upper == [10.0, 5.0, 2.5]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert legend(ax) == ["20 replications"]
    assert "projected value" in ax.get_ylabel() and "iteration" in ax.get_xlabel()


def test_a_band_that_reaches_zero_extends_the_axis_a_decade_below_the_smallest_mean() -> None:
    run = replications([8.0, 4.0, 2.0], [1.0, 2.0, 3.0])
    ax = plot.convergence(run)
    _, lower, upper = band_edges(ax.collections[0])
    assert lower == [6.0, 0.0, -4.0]
    assert upper == [10.0, 8.0, 8.0]
    margin = (10.0 / 0.2) ** plt.rcParams["axes.ymargin"]
    assert ax.get_ylim() == pytest.approx((0.2 / margin, 10.0 * margin), rel=1e-9)


def test_a_diverging_run_leaves_the_others_visible() -> None:
    small = replications([1e-3, 1e-4], [1e-5, 1e-6])
    large = replications([1.0, 1e9], [1.0, 1e9])
    low, high = plot.convergence({"small": small, "large": large}).get_ylim()
    assert low < 1e-4 and high > 3e9


def test_iteration_zero_is_not_drawn_on_a_logarithmic_axis() -> None:
    ax = plot.convergence(replications([9.0, 8.0, 4.0], [1, 1, 1], iterations=[0, 1, 5]))
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 5]
    assert ax.get_lines()[0].get_ydata().tolist() == [8.0, 4.0]


def test_after_divergence_the_median_is_drawn_and_the_legend_counts_diverged_replications() -> None:
    inf = math.inf
    run = replications([4.0, 3.0, inf, inf], [0.5, 0.5, inf, inf], median=[3.5, 2.5, 2.0, 1.5],
                       diverged=[0, 0, 1, 3])
    ax = plot.convergence({"newton": run})
    mean, median = (line.get_ydata() for line in ax.get_lines())
    np.testing.assert_array_equal(mean, [4.0, 3.0, np.nan, np.nan])
    np.testing.assert_array_equal(median, [np.nan, np.nan, 2.0, 1.5])
    assert legend(ax) == ["newton (3 of 20 diverged; thin: median)"]
    assert band_edges(ax.collections[0])[0].tolist() == [1, 2]


def test_a_single_replication_has_no_band() -> None:
    nan = math.nan  # the standard error of one value
    assert len(plot.convergence(replications([2.0, 1.0], [nan, nan])).collections) == 0
    assert len(plot.convergence(replications([2.0, 1.0], [0.1, 0.1])).collections) == 1


def test_the_reference_chooses_what_is_drawn() -> None:
    fixed = Summary(np.array([0.7, 0.3]), np.array([0.1, 0.1]), np.array([0.7, 0.3]))
    run = replications([2.0, 1.0], [0.1, 0.1], fixed=fixed)
    ax = plot.convergence({"td": run}, reference="fixed_point")
    assert ax.get_lines()[0].get_ydata().tolist() == [0.7, 0.3]
    assert "fixed point" in ax.get_ylabel()


def test_series_differ_in_colour_and_in_line_style() -> None:
    names = ["a", "b", "c", "d", "e", "f", "g"]
    ax = plot.convergence({name: replications([2.0, 1.0], [0.1, 0.1]) for name in names})
    lines = ax.get_lines()
    assert legend(ax) == names
    assert len({to_hex(line.get_color()) for line in lines}) == 7
    assert len({line.get_marker() for line in lines}) == 7


def test_plots_use_the_given_axes() -> None:
    ax = plt.figure().add_subplot()
    assert plot.convergence(replications([2.0, 1.0], [0.1, 0.1]), ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    assert plot.convergence(replications([2.0, 1.0], [0.1, 0.1])) is not ax
    assert len(plt.get_fignums()) == 2


def test_errors_of_convergence_say_what_is_accepted() -> None:
    run = replications([2.0, 1.0], [0.1, 0.1])
    with pytest.raises(InvalidInput, match="run 'td' has not measured.*fixed_point=..."):
        plot.convergence({"td": run}, reference="fixed_point")
    with pytest.raises(InvalidInput, match="'value'; accepted: projected_value, fixed_point"):
        plot.convergence(run, reference="value")
    with pytest.raises(InvalidInput, match="empty dictionary; accepted: name to Replications"):
        plot.convergence({})
    with pytest.raises(TypeError, match="type list; accepted: Replications"):
        plot.convergence([run])
    assert plt.get_fignums() == []  # an error leaves no empty figure in the notebook


def test_a_trace_is_the_certified_bound_by_iteration() -> None:
    ax = plot.trace({"values": solution(8.0, 4.0, 2.0), "policies": solution(1.0, 0.0)})
    values, policies = ax.get_lines()
    assert values.get_xdata().tolist() == [1, 2, 3]
    assert values.get_ydata().tolist() == [8.0, 4.0, 2.0]
    assert policies.get_ydata().tolist() == [1.0, 0.0]
    assert values.get_linestyle() != policies.get_linestyle()
    assert ax.get_yscale() == "log"
    assert legend(ax) == ["values", "policies"]


def test_an_infinite_bound_is_omitted() -> None:
    np.testing.assert_array_equal(
        plot.trace(solution(math.inf, 4.0)).get_lines()[0].get_ydata(), [np.nan, 4.0])


def test_a_single_trace_needs_no_legend() -> None:
    assert plot.trace(solution(1.0, 0.5)).get_legend() is None


def test_an_empty_trace_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="solution 'mine' has an empty trace; accepted"):
        plot.trace({"mine": Solution([])})


def test_a_loss_is_drawn_over_the_span_with_its_kink_at_zero() -> None:
    ax = plot.loss({"twice": lambda x: 2.0 * x, "bent": lambda x: np.maximum(x, 0.1 * x)},
                   (-1.0, 2.5))
    twice, bent = (line for line in ax.get_lines() if not line.get_label().startswith("_"))
    x = twice.get_xdata()
    assert (x[0], x[-1]) == (-1.0, 2.5) and 0.0 in x
    assert twice.get_ydata().tolist() == (2.0 * x).tolist()
    assert bent.get_ydata()[0] == -0.1 and bent.get_ydata()[-1] == 2.5
    assert twice.get_linestyle() != bent.get_linestyle()
    assert legend(ax) == ["twice", "bent"]


@pytest.mark.parametrize("span", [(1.0, 1.0), (1.0, 0.0), (0.0, math.inf), (math.nan, 1.0)])
def test_an_invalid_span_is_an_error(span: tuple[float, float]) -> None:
    with pytest.raises(InvalidInput, match="accepted: two finite numbers, the lower first"):
        plot.loss(lambda x: x, span)
