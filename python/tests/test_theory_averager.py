"""Averagers: the operator K, its fixed point, its bound and the box of the weights."""

import numpy as np
import pytest

import shortfall as sf


@pytest.fixture(name="drawn")
def drawn_fixture():
    """A random chain with its stationary distribution, and an averager of four cells."""
    model = sf.library.random_mdp(seed=3)
    chain = model.model.under_policy(model.policy)
    phi = np.random.default_rng(1).dirichlet(np.ones(4), size=10)
    return model, chain, phi, sf.theory.stationary_law(chain).probability


@pytest.mark.parametrize("gamma", [0.5, 0.99, 0.999])
@pytest.mark.parametrize("loss", ["mean", "expectile:0.9", "soft-quantile:0.9,2", "entropic:0.01"])
def test_the_fixed_point_is_one_and_within_its_bound_of_the_value(drawn, loss, gamma):
    model, chain, phi, q = drawn
    averager = sf.theory.AveragerOperator(chain, loss, gamma, phi, q)
    found = sf.theory.averager_fixed_point(averager, tolerance=1e-6)
    assert found.status == "converged" and found.error_bound <= 1e-6
    # From a point within e of the fixed one, K leads at most (1 + gamma) e away.
    assert np.abs(averager(found.theta) - found.theta).max() <= 2 * found.error_bound
    other = sf.theory.averager_fixed_point(averager, tolerance=1e-6, start=np.full(4, 1e4))
    assert np.abs(found.theta - other.theta).max() <= found.error_bound + other.error_bound
    value = sf.evaluate(model.model, model.policy, loss, gamma, tolerance=1e-8).values
    bound = sf.theory.averager_bound(averager, value)
    error = np.abs(phi @ found.theta - value).max()
    assert error <= bound.bound + found.error_bound + 3e-8 / (1 - gamma)
    assert bound.bound <= bound.oscillation_bound * (1 + 1e-12)
    assert bound.oscillation_bound == pytest.approx(bound.oscillation / (1 - gamma), rel=1e-9)


def test_for_the_mean_the_fixed_point_solves_a_linear_system(drawn):
    model, chain, phi, q = drawn
    averager = sf.theory.AveragerOperator(chain, "mean", 0.9, phi, q)
    found = sf.theory.averager_fixed_point(averager)
    # The drift is affine: its values at 0 and at the unit vectors determine the root.
    start = averager.drift(np.zeros(4))
    slopes = np.column_stack([averager.drift(unit) - start for unit in np.eye(4)])
    assert found.theta == pytest.approx(np.linalg.solve(slopes, -start), abs=1e-9)
    assert averager.modulus == pytest.approx(0.9)
    assert averager.visits == pytest.approx(phi.T @ q)
    assert repr(averager) == "AveragerOperator(mean with gamma 0.9, 10 states, 4 cells)"
    assert repr(found).startswith("AveragerFixedPoint(converged, 4 cells, within ")


def test_the_box_holds_the_fixed_point(drawn):
    _, chain, phi, q = drawn
    averager = sf.theory.AveragerOperator(chain, "expectile:0.9", 0.9, phi, q)
    box = sf.theory.averager_box(averager)
    theta = sf.theory.averager_fixed_point(averager).theta
    assert box.low <= theta.min() and theta.max() <= box.high
    assert box.largest_step == pytest.approx(1 / 0.9)
    assert sf.theory.averager_box(averager, np.full(4, 1e6)).high == 1e6


def test_averagers_reject_what_they_cannot_have(drawn):
    _, chain, phi, q = drawn
    with pytest.raises(sf.InvalidInput, match="the features sum to 2"):
        sf.theory.AveragerOperator(chain, "mean", 0.9, 2 * phi, q)
    with pytest.raises(sf.InvalidInput, match=r"gamma = 1; accepted: a number in \[0, 1\)"):
        sf.theory.AveragerOperator(chain, "mean", 1.0, phi, q)
    averager = sf.theory.AveragerOperator(chain, "mean", 0.9, phi, q)
    with pytest.raises(sf.InvalidInput, match="3 weights; accepted: one for each of 4 features"):
        averager([0.0, 0.0, 0.0])
    with pytest.raises(sf.InvalidInput, match="tolerance = 0"):
        sf.theory.averager_fixed_point(averager, tolerance=0.0)
