"""Contraction: limits of gamma, moduli and error bounds, compared with closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf
from shortfall import theory
from theory_for_tests import GAMMA, RandomChain


@pytest.mark.parametrize(
    "loss, limit",
    [
        ("mean", 1.0),
        ("expectile:0.9", 1 / 9),
        ("expectile:0.2", 1 / 4),
        ("soft-quantile:0.8,2", 1 / 16),
        ("truncated-entropic:0.5,2", math.exp(-2.0)),
        ("entropic:1", 0.0),
        ("piecewise:-1:-2,0:0,1:5", 2 / 5),
        (sf.Loss(lambda x: 2 * x + np.sqrt(1 + x * x) - 1, slope_bounds=(1, 3)), 1 / 3),
        (lambda x: 2 * x, 0.0),  # nothing is known of its slopes
    ],
)
def test_gamma_limits_agree_with_closed_forms(loss: sf.LossLike, limit: float) -> None:
    assert theory.gamma_limit(loss) == pytest.approx(limit, rel=1e-14)
    # The geometric mean divided by the arithmetic mean of slopes with the ratio `limit`.
    sharp = math.sqrt(limit) / (0.5 * (1 + limit))
    assert theory.sharp_gamma_limit(loss) == pytest.approx(sharp, rel=1e-14)


@given(st.floats(0.05, 0.95), st.floats(0.0, 1.0))
def test_monotonicity_is_the_best_constant_of_its_proof(tau: float, gamma: float) -> None:
    # s <= xi - t - (xi gamma)^2 / (4 t) for both slopes xi, with the best t > 0.
    low, high = min(tau, 1 - tau), max(tau, 1 - tau)

    def s(t: float) -> float:
        return min(xi - t - (xi * gamma) ** 2 / (4 * t) for xi in (low, high))

    found = theory.monotonicity(sf.expectile(tau), gamma)
    grid = np.linspace(1e-4, 1.0, 2001)
    assert max(s(t) for t in grid) <= found + 1e-12
    best = scipy.optimize.minimize_scalar(lambda t: -s(t), bounds=(1e-9, 1.0), method="bounded")
    # The minimum may be at a kink, which golden-section search finds to about 1e-5.
    assert -best.fun >= found - 1e-4
    assert theory.paper_monotonicity(sf.expectile(tau), gamma) == pytest.approx(
        low - gamma * high, abs=1e-15
    )
    assert found >= low - gamma * high - 1e-15


def test_monotonicity_is_minus_infinity_without_a_largest_slope() -> None:
    assert theory.monotonicity("entropic:1", 0.1) == -math.inf
    assert theory.paper_monotonicity("entropic:1", 0.1) == -math.inf


def test_contraction_in_the_q_norm_is_a_parabola_in_alpha() -> None:
    found = theory.QNormContraction.paper("expectile:0.7", GAMMA)
    s, lipschitz = 0.3 - GAMMA * 0.7, 0.7 * (1 + GAMMA)
    assert found.monotonicity == pytest.approx(s, rel=1e-14)
    assert found.lipschitz == pytest.approx(lipschitz, rel=1e-14)
    assert found.alpha_limit == pytest.approx(2 * s / lipschitz**2, rel=1e-14)
    assert found.best_alpha == pytest.approx(s / lipschitz**2, rel=1e-14)
    assert found.best_modulus == pytest.approx(math.sqrt(1 - (s / lipschitz) ** 2), rel=1e-14)
    alpha = 0.3 * found.alpha_limit
    g = alpha**2 * lipschitz**2 - 2 * alpha * s + 1
    assert found.g(alpha) == pytest.approx(g, rel=1e-14)
    assert found.modulus(alpha) == pytest.approx(math.sqrt(g), rel=1e-14)
    assert found.one_minus_g(alpha) == pytest.approx(1 - g, rel=1e-10)
    assert "QNormContraction(best modulus 0.99979" in repr(found)


def test_contractions_reject_arguments_at_or_beyond_their_limits() -> None:
    with pytest.raises(sf.InvalidInput, match=r"gamma = 0.5; accepted here: .*0\.428571"):
        theory.QNormContraction.paper("expectile:0.7", 0.5)
    assert theory.QNormContraction.sharp("expectile:0.7", 0.5).monotonicity > 0
    with pytest.raises(sf.InvalidInput, match=r"gamma = 0.95; accepted here: .*0\.916515"):
        theory.QNormContraction.sharp("expectile:0.7", 0.95)
    contraction = theory.QNormContraction.sharp("mean", 0.5)
    with pytest.raises(sf.InvalidInput, match=r"alpha = 1; accepted here: a number in \(0, "):
        contraction.modulus(1.0)
    with pytest.raises(sf.InvalidInput, match="bounded away from 0 and from infinity"):
        theory.SupNormContraction("entropic:1", 0.5)
    with pytest.raises(sf.InvalidInput, match=r"gamma = 0.61; accepted here: .*0\.6\)"):
        theory.ParameterContraction("expectile:0.7", 0.61)
    theory.ParameterContraction("expectile:0.7", 0.59)


@given(st.floats(0.05, 0.95), st.floats(0.0, 0.99), st.floats(0.01, 0.99))
def test_contraction_in_the_sup_norm_is_the_larger_of_two_bounds(
    tau: float, gamma: float, part: float
) -> None:
    found = theory.SupNormContraction(sf.expectile(tau), gamma)
    low, high = min(tau, 1 - tau), max(tau, 1 - tau)
    alpha = part * found.alpha_limit
    assert found.alpha_limit == pytest.approx(2 / (high * (1 + gamma)), rel=1e-14)
    modulus = max(1 - alpha * low * (1 - gamma), alpha * high * (1 + gamma) - 1)
    assert found.modulus(alpha) == pytest.approx(modulus, rel=1e-12)
    assert found.best_modulus <= modulus + 1e-12


@given(st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_h_contracts_with_the_stated_modulus(seed: int, part: float) -> None:
    problem = RandomChain(seed)
    v, w = problem.draw.normal(0.0, 20.0, size=(2, 6))
    q_norm = theory.QNormContraction.sharp("expectile:0.7", GAMMA)
    sup_norm = theory.SupNormContraction("expectile:0.7", GAMMA)

    def h(alpha: float, values: np.ndarray) -> np.ndarray:
        return theory.operator_h(problem.chain, "expectile:0.7", GAMMA, alpha, values)

    alpha = part * q_norm.alpha_limit
    moved = h(alpha, v) - h(alpha, w)
    before = math.sqrt(np.sum(problem.q * (v - w) ** 2))
    after = math.sqrt(np.sum(problem.q * moved**2))
    assert after <= q_norm.modulus(alpha) * before * (1 + 1e-12)
    alpha = part * sup_norm.alpha_limit
    moved = h(alpha, v) - h(alpha, w)
    assert np.abs(moved).max() <= sup_norm.modulus(alpha) * np.abs(v - w).max() * (1 + 1e-12)


@given(st.integers(0, 10_000), st.floats(0.1, 0.9))
def test_the_parameter_step_contracts_if_features_are_small(seed: int, part: float) -> None:
    problem = RandomChain(seed)
    alpha = 0.5
    contraction = theory.ParameterContraction("expectile:0.7", GAMMA)
    largest = theory.Projection(problem.phi, problem.q).singular_range[1]
    phi = problem.phi * (part * contraction.singular_value_limit(alpha) / largest)
    field = theory.MeanField(problem.chain, "expectile:0.7", GAMMA, phi, problem.q)
    modulus = contraction.squared_modulus(alpha, field.projection.singular_range)
    assert modulus < 1
    a, b = problem.draw.normal(0.0, 20.0, size=(2, 3))
    moved = a - b + alpha * (field.drift(a) - field.drift(b))
    assert moved @ moved <= modulus * ((a - b) @ (a - b)) * (1 + 1e-12)
    with pytest.raises(sf.InvalidInput, match="scale the features to get there"):
        contraction.squared_modulus(alpha, (0.1, contraction.singular_value_limit(alpha)))


@pytest.fixture(scope="module")
def problem() -> RandomChain:
    return RandomChain(seed=3)


@pytest.mark.parametrize("alpha", [None, 0.05])
def test_the_projected_fixed_point_satisfies_the_error_bounds(
    problem: RandomChain, alpha: float | None
) -> None:
    model = sf.Mdp([problem.P], cost=[problem.c])
    value = sf.evaluate(model, None, "expectile:0.7", GAMMA, tolerance=1e-10).values
    field = problem.field()
    found = problem.phi @ theory.projected_fixed_point(field).theta
    error = theory.q_norm(field.projection(value) - value, problem.q)
    distance = theory.q_norm(found - value, problem.q)
    contraction = theory.QNormContraction.sharp("expectile:0.7", GAMMA)
    modulus = contraction.best_modulus if alpha is None else contraction.modulus(alpha)
    lemma2 = theory.lemma2_bound(contraction, error, alpha)
    pythagorean = theory.pythagorean_bound(contraction, error, alpha)
    assert lemma2 == pytest.approx(error / (1 - modulus), rel=1e-12)
    assert pythagorean == pytest.approx(error / math.sqrt(1 - modulus**2), rel=1e-12)
    assert error <= distance <= pythagorean < lemma2
