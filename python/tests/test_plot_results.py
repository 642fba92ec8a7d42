"""Plots of the package's own results, and the examples in their docstrings."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import shortfall as sf
from plot_for_tests import cell_texts, closed_figures, histograms, legend  # noqa: F401
from shortfall import InvalidInput, plot


@pytest.fixture(scope="module")
def stock() -> sf.inventory.Inventory:
    return sf.inventory.Inventory(
        shelf_life=3, capacity=6, demand=[0.1, 0.2, 0.4, 0.2, 0.1], loss="expectile:0.9",
        gamma=0.6, cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 5})


def test_replications_can_be_drawn() -> None:
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


def test_solutions_can_be_drawn(stock: sf.inventory.Inventory) -> None:
    found = {"model": sf.solve(sf.library.forest(), "mean", 0.9, method="value-iteration"),
             "stock": sf.inventory.solve(stock)}
    for line, solved in zip(plot.trace(found).get_lines(), found.values()):
        assert line.get_xdata().tolist() == [record.iteration for record in solved.trace]
        assert line.get_ydata().tolist() == [record.error_bound for record in solved.trace]
        assert line.get_ydata()[-1] == solved.error_bound


def test_optimal_orders_can_be_drawn(stock: sf.inventory.Inventory) -> None:
    best = sf.inventory.solve(stock)
    ax = plot.policy_map(stock, best.policy)
    assert cell_texts(ax) == {tuple(x): best.order(x) for x in stock.stocks.tolist()}


def test_simulations_can_be_drawn(stock: sf.inventory.Inventory) -> None:
    found = sf.inventory.simulate(stock, sf.inventory.base_stock_orders(stock, 4),
                                  replications=500)
    ax = plot.cost_distribution(found, quantiles=(0.07, 0.5))
    ((counts, _),) = histograms(ax)
    assert sum(counts) == 500
    assert ax.get_lines()[0].get_xdata().tolist() == [found.quantile(0.07), found.quantile(0.5)]
    with pytest.raises(InvalidInput, match="quantile of level 1.5; accepted: 0 to 1"):
        plot.cost_distribution(found, quantiles=(1.5,))


def test_losses_can_be_drawn() -> None:
    line = plot.loss(sf.Loss("expectile:0.9"), (-1.0, 1.0)).get_lines()[-1]
    x = line.get_xdata()
    # the loss of the expectile: 0.9 x above 0 and 0.1 x below, up to a constant factor
    slopes = np.diff(line.get_ydata()) / np.diff(x)
    assert slopes[x[:-1] >= 0.0] == pytest.approx(9.0 * slopes[0], rel=1e-9)


def test_the_examples_in_the_docstrings_run() -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    for name in plot.__all__:
        found = doctest.DocTestFinder(exclude_empty=False).find(
            getattr(plot, name), name, module=False, globs={"sf": sf, "np": np})
        assert [len(each.examples) > 0 for each in found] == [True]
        assert runner.run(found[0]).failed == 0
    assert runner.summarize(verbose=False).attempted >= 20
