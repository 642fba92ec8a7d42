"""Projections, mean fields and their fixed points, compared with NumPy and SciPy."""

from __future__ import annotations

import gc
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf
from shortfall import theory
from theory_for_tests import GAMMA, RandomChain, expectile


@pytest.fixture(scope="module")
def problem() -> RandomChain:
    return RandomChain(seed=3)


@given(st.integers(0, 10_000))
def test_the_projection_is_weighted_least_squares(seed: int) -> None:
    problem = RandomChain(seed)
    v = problem.draw.normal(size=6)
    root = np.sqrt(problem.q)
    theta = np.linalg.lstsq(root[:, None] * problem.phi, root * v, rcond=None)[0]
    projection = theory.Projection(problem.phi, problem.q)
    size = np.linalg.cond(root[:, None] * problem.phi)
    assert projection.coefficients(v) == pytest.approx(theta, rel=1e-12 * size, abs=1e-12 * size)
    assert projection(v) == pytest.approx(problem.phi @ theta, rel=1e-12, abs=1e-12 * size)
    singular = np.linalg.svd(root[:, None] * problem.phi, compute_uv=False)
    assert projection.singular_range == pytest.approx((singular[-1], singular[0]), rel=1e-12 * size)
    assert theory.q_inner(v - projection(v), projection(v), problem.q) == pytest.approx(
        0, abs=1e-12 * size
    )


def test_the_features_of_a_projection_are_read_only(
    problem: RandomChain
) -> None:
    projection = theory.Projection(problem.phi, problem.q)
    assert np.array_equal(projection.phi, problem.phi)
    assert np.array_equal(projection.q, problem.q)
    with pytest.raises(ValueError, match="read-only"):
        projection.phi[0, 0] = 1.0
    assert repr(projection).startswith("Projection(6 states, 3 features, condition ")


def test_dependent_features_are_named() -> None:
    phi = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 3.0, 0.0], [0.0, 0.0, 0.0, 5.0]])
    q = [0.5, 0.5, 0.0]  # the last feature lives only where q is 0
    assert theory.dependent_features(phi, q) == [(2, [0, 1]), (3, [])]
    assert theory.dependent_features(phi[:, :2], q) == []
    assumption = theory.features_assumption(phi[:, :2], q)
    assert assumption.holds
    assert not theory.features_assumption(phi, q).holds
    with pytest.raises(sf.InvalidInput, match="accepted: linearly independent features"):
        theory.Projection(phi, q)
    with pytest.raises(sf.InvalidInput, match="the law q sums to 0.5"):
        theory.Projection(phi, [0.5, 0.0, 0.0])
    with pytest.raises(sf.InvalidInput, match="2 and 2 values for 1 weights q"):
        theory.q_norm([1.0, 2.0], [1.0])


@pytest.mark.parametrize("loss", ["expectile:0.7", expectile])
def test_the_drift_is_a_sum_over_states(problem: RandomChain, loss: sf.LossLike) -> None:
    theta = problem.draw.normal(0.0, 10.0, size=3)
    r = problem.residual(expectile, GAMMA, problem.phi @ theta)
    plain = sum(problem.q[x] * r[x] * problem.phi[x] for x in range(6))
    assert problem.field(loss).drift(theta) == pytest.approx(plain, rel=1e-12, abs=1e-12)


def test_the_jacobian_is_the_derivative_of_the_drift(problem: RandomChain) -> None:
    field = problem.field()
    theta = problem.draw.normal(0.0, 10.0, size=3)
    h = 1e-4  # the drift is linear between kinks, so that only rounding is left: about 1e-11
    columns = [(field.drift(theta + h * e) - field.drift(theta - h * e)) / (2 * h)
               for e in np.eye(3)]
    assert field.jacobian(theta) == pytest.approx(np.array(columns).T, rel=1e-8, abs=1e-9)


def test_the_effective_discount_is_gamma_if_q_is_stationary(problem: RandomChain) -> None:
    field = problem.field()
    assert field.effective_gamma == pytest.approx(GAMMA, rel=1e-12)
    assert field.monotonicity == pytest.approx(
        theory.monotonicity("expectile:0.7", GAMMA), rel=1e-11
    )
    uniform = theory.MeanField(problem.chain, "mean", GAMMA, problem.phi, np.full(6, 1 / 6))
    largest_inflow = problem.P.sum(axis=0).max()
    assert uniform.effective_gamma == pytest.approx(GAMMA * math.sqrt(largest_inflow), rel=1e-12)


def test_a_mean_field_keeps_its_chain_alive() -> None:
    problem = RandomChain(seed=5)
    field = problem.field()
    expected = field.drift(np.ones(3))
    chain = problem.chain
    assert field.chain is chain
    del problem, chain
    gc.collect()
    _ = [np.ones(1000) for _ in range(100)]
    assert np.array_equal(field.drift(np.ones(3)), expected)
    assert repr(field) == "MeanField(expectile:0.7 with gamma 0.4, 6 states, 3 features)"


@given(st.integers(0, 10_000))
def test_the_projected_fixed_point_of_the_mean_solves_a_linear_system(seed: int) -> None:
    problem = RandomChain(seed)
    weighted = problem.phi.T * problem.q
    matrix = weighted @ (np.eye(6) - GAMMA * problem.P) @ problem.phi
    theta = np.linalg.solve(matrix, weighted @ np.sum(problem.P * problem.c, axis=1))
    found = theory.projected_fixed_point(problem.field("mean"))
    assert found.status == "converged"
    error = theory.q_norm(problem.phi @ (found.theta - theta), problem.q)
    assert found.error_bound <= 1e-9
    assert error <= found.error_bound + 1e-11  # what rounding leaves in the solution by NumPy


@pytest.mark.parametrize("loss", ["expectile:0.7", sf.Loss(expectile, slope_bounds=(0.3, 0.7))])
def test_the_projected_fixed_point_of_an_expectile_agrees_with_scipy(
    problem: RandomChain, loss: sf.LossLike
) -> None:
    def drift(theta: np.ndarray) -> np.ndarray:
        r = problem.residual(expectile, GAMMA, problem.phi @ theta)
        return problem.phi.T @ (problem.q * r)

    theta = scipy.optimize.root(drift, np.zeros(3), tol=1e-12).x
    field = problem.field(loss)
    found = theory.projected_fixed_point(field, tolerance=1e-8, start=[1.0, -1.0, 1.0])
    assert found.status == "converged"
    # Both distances to the root are at most their residuals divided by s.
    miss = theory.q_norm(field.projection(problem.residual(expectile, GAMMA, problem.phi @ theta)),
                         problem.q)
    distance = theory.q_norm(problem.phi @ (found.theta - theta), problem.q)
    assert distance <= (found.residual_norm + miss) / field.monotonicity + 1e-12
    assert found.error_bound <= 1e-8
    assert repr(found).startswith("FixedPoint(converged, 3 features, within ")


def test_the_status_of_the_fixed_point_search(problem: RandomChain) -> None:
    field = problem.field()
    found = theory.projected_fixed_point(field, max_iterations=0)
    assert found.status == "iteration-limit"
    assert found.iterations == 0
    with pytest.raises(sf.InvalidInput, match="tolerance = 0; accepted: a number > 0"):
        theory.projected_fixed_point(field, tolerance=0.0)
    with pytest.raises(sf.InvalidInput, match="the start has 2 entries"):
        theory.projected_fixed_point(field, start=[1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        found.theta[0] = 1.0


def test_the_drift_of_the_counterexample_is_zero_or_positive() -> None:
    for root in ("smaller", "larger"):
        for p, theta in ((0.9, 1.0), (0.9, 50.0), (0.95, 1.0), (0.99, 50.0)):
            example = sf.library.counterexample(p, root)
            field = theory.MeanField(example.model.under_policy(), example.loss, example.gamma,
                                     example.features, [0.5, 0.5])
            drift = field.drift([theta])[0]
            one, delta = example.features[:, 0]
            plain = 0.5 * sum(
                x * (p * expectile(0.9 * y * theta - x * theta, 10 / 11)
                     + (1 - p) * expectile(0.9 * x * theta - x * theta, 10 / 11))
                for x, y in ((one, delta), (delta, one)))
            assert drift == pytest.approx(plain, rel=1e-10, abs=1e-13 * theta)
            assert field.drift([0.0])[0] == 0.0
            assert field.drift([-theta])[0] > 0.0
            if p == 0.9:
                assert abs(drift) <= 1e-13 * theta
            else:
                assert drift > 1e-4 * theta


def test_threads_may_share_a_mean_field_with_a_python_loss(problem: RandomChain) -> None:
    field = problem.field(expectile)
    thetas = np.random.default_rng(1).normal(0.0, 10.0, size=(32, 3))
    one_by_one = [field.drift(theta) for theta in thetas]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(field.drift, thetas))
    assert np.array_equal(together, one_by_one)
