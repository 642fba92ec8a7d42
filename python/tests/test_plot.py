"""The plots, by what their artists hold; stand-ins have only the attributes that plots read."""

import doctest
import math
from dataclasses import dataclass, field
from itertools import product
from typing import List, Optional

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
import shortfall as sf  # noqa: E402
from hypothesis import given, settings, strategies as st  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402
from shortfall import InvalidInput, plot  # noqa: E402

few = settings(max_examples=15, deadline=None)  # figures take long


@dataclass
class Summary:
    mean: np.ndarray
    standard_error: np.ndarray
    median: np.ndarray


@dataclass
class Replications:
    iterations: np.ndarray
    to_projected_value: Optional[Summary]
    to_fixed_point: Optional[Summary]
    diverged: np.ndarray
    theta: np.ndarray


def replications(mean, error, *, median=None, iterations=None, diverged=None, fixed=None):
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
    trace: List[Record]


def solution(*bounds):
    return Solution([Record(k + 1, 0.0, bound) for k, bound in enumerate(bounds)])


@dataclass
class Inventory:
    shelf_life: int
    capacity: int
    days: int = 1
    stocks: list = field(init=False)

    def __post_init__(self):
        amounts = product(range(self.capacity + 1), repeat=self.shelf_life - 1)
        self.stocks = [stock for stock in amounts if sum(stock) <= self.capacity]

    @property
    def states(self):
        return self.days * len(self.stocks)

    def index(self, stock, day=0):
        return day * len(self.stocks) + self.stocks.index(tuple(stock))


@dataclass
class Simulation:
    discounted_cost: np.ndarray

    @property
    def mean(self):
        return self.discounted_cost.mean()

    def quantile(self, q):
        return np.sort(self.discounted_cost)[max(1, math.ceil(q * len(self.discounted_cost))) - 1]


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def band_edges(band):
    """Lower and upper edge by x, of a polygon that goes along one and back along the other."""
    x, y = band.get_paths()[0].vertices.T
    at = np.unique(x)
    return at, [min(y[x == v]) for v in at], [max(y[x == v]) for v in at]


def cell_texts(ax):
    """(x, y) to number, of all texts that are numbers."""
    found = [(t.get_position(), t.get_text()) for t in ax.texts]
    return {at: int(text) for at, text in found if text.isdigit()}


# --- convergence ---------------------------------------------------------------------------------


def test_a_line_is_the_mean_and_its_band_two_standard_errors_to_each_side():
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


def test_a_band_that_reaches_zero_takes_the_axis_a_decade_below_the_least_mean():
    run = replications([8.0, 4.0, 2.0], [1.0, 2.0, 3.0])
    ax = plot.convergence(run)
    _, lower, upper = band_edges(ax.collections[0])
    assert lower == [6.0, 0.0, -4.0]
    assert upper == [10.0, 8.0, 8.0]
    margin = (10.0 / 0.2) ** plt.rcParams["axes.ymargin"]
    assert ax.get_ylim() == pytest.approx((0.2 / margin, 10.0 * margin), rel=1e-9)


def test_a_run_that_explodes_leaves_the_others_in_sight():
    small = replications([1e-3, 1e-4], [1e-5, 1e-6])
    large = replications([1.0, 1e9], [1.0, 1e9])
    low, high = plot.convergence({"small": small, "large": large}).get_ylim()
    assert low < 1e-4 and high > 3e9


def test_the_start_has_no_place_on_a_logarithmic_axis():
    ax = plot.convergence(replications([9.0, 8.0, 4.0], [1, 1, 1], iterations=[0, 1, 5]))
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 5]
    assert ax.get_lines()[0].get_ydata().tolist() == [8.0, 4.0]


def test_where_replications_diverged_the_median_goes_on_and_the_legend_counts_them():
    inf = math.inf
    run = replications([4.0, 3.0, inf, inf], [0.5, 0.5, inf, inf], median=[3.5, 2.5, 2.0, 1.5],
                       diverged=[0, 0, 1, 3])
    ax = plot.convergence({"newton": run})
    mean, median = (line.get_ydata() for line in ax.get_lines())
    np.testing.assert_array_equal(mean, [4.0, 3.0, np.nan, np.nan])
    np.testing.assert_array_equal(median, [np.nan, np.nan, 2.0, 1.5])
    assert legend(ax) == ["newton (3 of 20 diverged; thin: median)"]
    assert band_edges(ax.collections[0])[0].tolist() == [1, 2]


def test_a_single_replication_has_no_band():
    nan = math.nan  # the standard error of one value
    assert len(plot.convergence(replications([2.0, 1.0], [nan, nan])).collections) == 0
    assert len(plot.convergence(replications([2.0, 1.0], [0.1, 0.1])).collections) == 1


def test_the_reference_chooses_what_is_drawn():
    fixed = Summary(np.array([0.7, 0.3]), np.array([0.1, 0.1]), np.array([0.7, 0.3]))
    run = replications([2.0, 1.0], [0.1, 0.1], fixed=fixed)
    ax = plot.convergence({"td": run}, reference="fixed_point")
    assert ax.get_lines()[0].get_ydata().tolist() == [0.7, 0.3]
    assert "fixed point" in ax.get_ylabel()


def test_series_differ_in_colour_and_also_without_it():
    names = ["a", "b", "c", "d", "e", "f", "g"]
    ax = plot.convergence({name: replications([2.0, 1.0], [0.1, 0.1]) for name in names})
    lines = ax.get_lines()
    assert legend(ax) == names
    assert len({to_hex(line.get_color()) for line in lines}) == 7
    assert len({line.get_marker() for line in lines}) == 7


def test_plots_go_into_the_axes_given():
    ax = plt.figure().add_subplot()
    assert plot.convergence(replications([2.0, 1.0], [0.1, 0.1]), ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    assert plot.convergence(replications([2.0, 1.0], [0.1, 0.1])) is not ax
    assert len(plt.get_fignums()) == 2


def test_errors_of_convergence_say_what_is_accepted():
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


# --- trace ---------------------------------------------------------------------------------------


def test_a_trace_is_the_certified_bound_by_iteration():
    ax = plot.trace({"values": solution(8.0, 4.0, 2.0), "policies": solution(1.0, 0.0)})
    values, policies = ax.get_lines()
    assert values.get_xdata().tolist() == [1, 2, 3]
    assert values.get_ydata().tolist() == [8.0, 4.0, 2.0]
    assert policies.get_ydata().tolist() == [1.0, 0.0]
    assert values.get_linestyle() != policies.get_linestyle()
    assert ax.get_yscale() == "log"
    assert legend(ax) == ["values", "policies"]


def test_a_bound_that_is_infinite_is_left_out():
    np.testing.assert_array_equal(
        plot.trace(solution(math.inf, 4.0)).get_lines()[0].get_ydata(), [np.nan, 4.0])


def test_a_single_trace_needs_no_legend():
    assert plot.trace(solution(1.0, 0.5)).get_legend() is None


def test_an_empty_trace_is_an_error():
    with pytest.raises(InvalidInput, match="solution 'mine' has an empty trace; accepted"):
        plot.trace({"mine": Solution([])})


# --- policy map ----------------------------------------------------------------------------------


@few
@given(st.data())
def test_each_feasible_cell_shows_its_order_and_no_other_cell_has_any(data):
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


def test_the_day_is_named_where_days_differ():
    weekly, daily = Inventory(3, 2, days=7), Inventory(3, 2)
    orders = np.zeros(weekly.states, int)
    assert plot.policy_map(weekly, orders, day=6).get_title() == "Units to order on a Sunday"
    assert plot.policy_map(daily, orders[:daily.states]).get_title() == "Units to order"


def test_of_many_ages_the_oldest_and_the_freshest_are_shown_and_others_are_empty():
    inventory = Inventory(5, 3)
    orders = np.arange(inventory.states)
    ax = plot.policy_map(inventory, orders)
    assert cell_texts(ax) == {(x, y): inventory.index((x, 0, 0, y))
                              for x in range(4) for y in range(4 - x)}
    assert ax.get_xlabel() == "units with 1 period left"
    assert ax.get_ylabel() == "units with 4 periods left"
    assert "none of other ages" in ax.get_title()


def test_ages_choose_the_axes_in_their_order():
    inventory = Inventory(4, 3)
    orders = np.arange(inventory.states)
    ax = plot.policy_map(inventory, orders, ages=(3, 2))
    assert cell_texts(ax)[(2, 1)] == inventory.index((0, 1, 2))
    bars = plot.policy_map(inventory, orders, ages=[2]).patches
    assert [bar.get_height() for bar in bars] == [inventory.index((0, x, 0)) for x in range(4)]


def test_one_age_is_drawn_as_bars():
    ax = plot.policy_map(Inventory(2, 4), [4, 3, 3, 0, 0])
    assert [bar.get_height() for bar in ax.patches] == [4, 3, 3, 0, 0]
    assert [text.get_text() for text in ax.texts] == ["4", "3", "3", "0", "0"]
    assert ax.get_ylabel() == "units to order"


def test_cells_too_small_for_numbers_have_a_colour_bar():
    small, large = Inventory(3, 20), Inventory(3, 60)
    ax = plot.policy_map(small, np.zeros(small.states, int))
    assert len(cell_texts(ax)) == 231 and len(ax.figure.axes) == 1
    ax = plot.policy_map(large, np.zeros(large.states, int))
    assert cell_texts(ax) == {} and len(ax.figure.axes) == 2


def test_errors_of_the_policy_map_say_what_is_accepted():
    inventory = Inventory(3, 2)
    orders = np.zeros(6, int)
    for ages in [(0, 1), (1, 3), (1, 1), (), (1, 2, 1)]:
        with pytest.raises(InvalidInput, match="accepted: one or two different ones, 1 to 2 per"):
            plot.policy_map(inventory, orders, ages=ages)
    for day in [-1, 1]:
        with pytest.raises(InvalidInput, match=f"day {day}; accepted: 0 to 0"):
            plot.policy_map(inventory, orders, day=day)
    for wrong in [orders[1:], orders.astype(float), orders.reshape(2, 3)]:
        with pytest.raises(InvalidInput, match="accepted: 6 integers, one a state"):
            plot.policy_map(inventory, wrong)
    with pytest.raises(InvalidInput, match="accepted: shelf life 2 or longer"):
        plot.policy_map(Inventory(1, 2), [1])
    assert plt.get_fignums() == []


# --- cost distribution ---------------------------------------------------------------------------


def histograms(ax):
    """Outline of each: (counts, edges)."""
    return [patch.get_data()[:2] for patch in ax.patches if not patch.get_fill()]


costs = st.lists(st.integers(0, 10**6).map(lambda cents: 0.01 * cents), min_size=1, max_size=50)


@few
@given(st.lists(costs, min_size=1, max_size=3))
def test_every_replication_is_in_a_bin_and_bins_are_common(samples):
    named = {f"policy {k}": Simulation(np.array(sample)) for k, sample in enumerate(samples)}
    found = histograms(plot.cost_distribution(named))
    assert len(found) == len(samples)
    alike = len({len(sample) for sample in samples}) == 1
    for (counts, edges), sample in zip(found, samples):
        assert sum(counts) == pytest.approx(len(sample) if alike else 100.0, rel=1e-12)
        assert edges.tolist() == found[0][1].tolist()
        assert edges[0] <= min(sample) and max(sample) <= edges[-1]
    plt.close("all")


def test_counts_are_those_of_the_bins():
    sample = np.random.default_rng(1).gamma(20.0, 2.0, 1000)
    ax = plot.cost_distribution(Simulation(sample))
    ((counts, edges),) = histograms(ax)
    below = np.searchsorted(np.sort(sample), edges[1:-1])  # values below each inner edge
    assert np.cumsum(counts)[:-1].tolist() == below.tolist()
    assert 10 <= len(counts) <= 80
    assert ax.get_ylabel() == "replications"
    assert ax.get_ylim()[1] > max(counts)


def test_one_far_outlier_does_not_make_countless_bins():
    sample = np.append(np.random.default_rng(1).normal(50.0, 1e-9, 1000), 1e6)
    assert len(histograms(plot.cost_distribution(Simulation(sample)))[0][0]) == 80


def test_marks_are_at_the_quantiles_and_have_their_numbers():
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


def test_different_numbers_of_replications_are_compared_in_per_cent():
    named = {"a": Simulation(np.arange(10.0)), "b": Simulation(np.arange(30.0))}
    ax = plot.cost_distribution(named)
    assert ax.get_ylabel() == "replications, %"
    assert [sum(counts) for counts, _ in histograms(ax)] == pytest.approx([100.0, 100.0])


def test_many_rows_of_marks_leave_half_of_the_height_to_the_histograms():
    named = {f"policy {k}": Simulation(np.arange(10.0)) for k in range(20)}
    ax = plot.cost_distribution(named)
    highest = max(max(counts) for counts, _ in histograms(ax))
    assert 0.45 < highest / ax.get_ylim()[1] < 0.5
    rows = [line.get_ydata()[0] for line in ax.get_lines()]
    assert 1.0 > rows[0] and rows[-1] > 0.5 and rows == sorted(rows, reverse=True)


def test_no_quantiles_no_marks():
    ax = plot.cost_distribution(Simulation(np.arange(10.0)), quantiles=())
    assert len(ax.get_lines()) == 0 and len(ax.texts) == 0
    assert ax.get_xlabel() == "discounted cost"


def test_a_policy_without_luck_has_one_bin_that_is_not_empty():
    ax = plot.cost_distribution(Simulation(np.full(7, 3.0)))
    ((counts, edges),) = histograms(ax)
    assert counts.max() == 7 and sum(counts) == 7


def test_no_simulation_is_an_error():
    with pytest.raises(InvalidInput, match="empty dictionary; accepted: name to Simulation"):
        plot.cost_distribution({})


# --- losses --------------------------------------------------------------------------------------


def test_a_loss_is_drawn_over_the_span_with_its_kink_at_zero():
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
def test_a_span_that_is_none_is_an_error(span):
    with pytest.raises(InvalidInput, match="accepted: two finite numbers, the lower first"):
        plot.loss(lambda x: x, span)


# --- what the package itself returns -------------------------------------------------------------


@pytest.fixture(scope="module")
def stock():
    return sf.inventory.Inventory(
        shelf_life=3, capacity=6, demand=[0.1, 0.2, 0.4, 0.2, 0.1], loss="expectile:0.9",
        gamma=0.6, cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 5})


def test_replications_are_drawn_as_they_are():
    drawn = sf.library.random_mdp(features=4, seed=1)
    chain = drawn.model.under_policy(drawn.policy)
    goal = np.zeros(len(drawn.features))
    run = sf.replicate(sf.Td(4, "mean", 0.5), chain, drawn.features, fixed_point=goal,
                       replications=5, record_at=[0, 1, 10, 100])
    ax = plot.convergence(run, reference="fixed_point")
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 10, 100]
    assert ax.get_lines()[0].get_ydata().tolist() == run.to_fixed_point.mean[1:].tolist()
    assert legend(ax) == ["5 replications"]
    with pytest.raises(InvalidInput, match="the run has not measured.*projected_value"):
        plot.convergence(run)


def test_solutions_are_drawn_as_they_are(stock):
    found = {"model": sf.solve(sf.library.forest(), "mean", 0.9, method="value-iteration"),
             "stock": sf.inventory.solve(stock)}
    for line, solved in zip(plot.trace(found).get_lines(), found.values()):
        assert line.get_xdata().tolist() == [record.iteration for record in solved.trace]
        assert line.get_ydata().tolist() == [record.error_bound for record in solved.trace]
        assert line.get_ydata()[-1] == solved.error_bound


def test_the_best_orders_are_drawn_as_they_are(stock):
    best = sf.inventory.solve(stock)
    ax = plot.policy_map(stock, best.policy)
    assert cell_texts(ax) == {tuple(x): best.order(x) for x in stock.stocks.tolist()}


def test_simulations_are_drawn_as_they_are(stock):
    found = sf.inventory.simulate(stock, sf.inventory.base_stock_orders(stock, 4),
                                  replications=500)
    ax = plot.cost_distribution(found, quantiles=(0.07, 0.5))
    ((counts, _),) = histograms(ax)
    assert sum(counts) == 500
    assert ax.get_lines()[0].get_xdata().tolist() == [found.quantile(0.07), found.quantile(0.5)]
    with pytest.raises(InvalidInput, match="quantile of level 1.5; accepted: 0 to 1"):
        plot.cost_distribution(found, quantiles=(1.5,))


def test_losses_are_drawn_as_they_are():
    line = plot.loss(sf.Loss("expectile:0.9"), (-1.0, 1.0)).get_lines()[-1]
    x = line.get_xdata()
    # the expectile's loss: 0.9 x above 0, and 0.1 x below, up to a factor of the convention
    slopes = np.diff(line.get_ydata()) / np.diff(x)
    assert slopes[x[:-1] >= 0.0] == pytest.approx(9.0 * slopes[0], rel=1e-9)


def test_the_examples_in_the_docstrings_run():
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, run = doctest.testmod(plot, extraglobs={"sf": sf, "np": np}, optionflags=flags)
    assert failed == 0 and run >= 20
