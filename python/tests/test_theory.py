"""The theory of convergence against closed forms, and against NumPy and SciPy on their own."""

import gc
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, strategies as st

import shortfall as sf
from shortfall import theory

EXPECTILE = 0.7
GAMMA = 0.4  # below 3/7, the limit of this expectile


def expectile(x, tau=EXPECTILE):
    return np.where(x > 0, tau * x, (1 - tau) * x)


class RandomChain:
    """A chain with positive probabilities, as shortfall's and as plain arrays."""

    def __init__(self, seed, states=6, features=3):
        draw = np.random.default_rng(seed)
        self.P = draw.dirichlet(np.ones(states), size=states)
        self.c = draw.normal(10.0, 10.0, size=(states, states))
        self.phi = draw.normal(size=(states, features))
        self.draw = draw
        self.chain = sf.Mdp([self.P], cost=[self.c]).under_policy()
        weights, vectors = np.linalg.eig(self.P.T)
        q = np.real(vectors[:, np.argmax(np.real(weights))])
        self.q = q / q.sum()

    def residual(self, loss, gamma, values):
        """E loss(c + gamma V(X') - V(x)), one state and one outcome at a time."""
        result = np.zeros(len(values))
        for x in range(len(values)):
            for y in range(len(values)):
                delta = self.c[x, y] + gamma * values[y] - values[x]
                result[x] += self.P[x, y] * float(loss(delta))
        return result

    def field(self, loss="expectile:0.7", gamma=GAMMA):
        return theory.MeanField(self.chain, loss, gamma, self.phi, self.q)


@pytest.fixture(scope="module")
def problem():
    return RandomChain(seed=3)


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
def test_gamma_limits_have_their_closed_forms(loss, limit):
    assert theory.gamma_limit(loss) == pytest.approx(limit, rel=1e-14)
    # The geometric over the arithmetic mean of slopes in the ratio `limit`.
    sharp = math.sqrt(limit) / (0.5 * (1 + limit))
    assert theory.sharp_gamma_limit(loss) == pytest.approx(sharp, rel=1e-14)


@given(st.floats(0.05, 0.95), st.floats(0.0, 1.0))
def test_monotonicity_is_the_best_that_its_proof_can_give(tau, gamma):
    # s <= xi - t - (xi gamma)^2 / (4 t) for both slopes xi, with the best t > 0.
    low, high = min(tau, 1 - tau), max(tau, 1 - tau)

    def s(t):
        return min(xi - t - (xi * gamma) ** 2 / (4 * t) for xi in (low, high))

    found = theory.monotonicity(sf.expectile(tau), gamma)
    grid = np.linspace(1e-4, 1.0, 2001)
    assert max(s(t) for t in grid) <= found + 1e-12
    best = scipy.optimize.minimize_scalar(lambda t: -s(t), bounds=(1e-9, 1.0), method="bounded")
    # The minimum may be a kink, which golden sections find to about 1e-5.
    assert -best.fun >= found - 1e-4
    assert theory.paper_monotonicity(sf.expectile(tau), gamma) == pytest.approx(
        low - gamma * high, abs=1e-15
    )
    assert found >= low - gamma * high - 1e-15


def test_monotonicity_is_minus_infinity_without_a_largest_slope():
    assert theory.monotonicity("entropic:1", 0.1) == -math.inf
    assert theory.paper_monotonicity("entropic:1", 0.1) == -math.inf


def test_contraction_in_the_q_norm_is_a_parabola_in_alpha():
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


def test_contractions_refuse_what_is_at_or_beyond_their_limits():
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
def test_contraction_in_the_sup_norm_is_the_larger_of_two_bounds(tau, gamma, part):
    found = theory.SupNormContraction(sf.expectile(tau), gamma)
    low, high = min(tau, 1 - tau), max(tau, 1 - tau)
    alpha = part * found.alpha_limit
    assert found.alpha_limit == pytest.approx(2 / (high * (1 + gamma)), rel=1e-14)
    modulus = max(1 - alpha * low * (1 - gamma), alpha * high * (1 + gamma) - 1)
    assert found.modulus(alpha) == pytest.approx(modulus, rel=1e-12)
    assert found.best_modulus <= modulus + 1e-12


@given(st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_h_contracts_as_is_promised(seed, part):
    problem = RandomChain(seed)
    v, w = problem.draw.normal(0.0, 20.0, size=(2, 6))
    q_norm = theory.QNormContraction.sharp("expectile:0.7", GAMMA)
    sup_norm = theory.SupNormContraction("expectile:0.7", GAMMA)

    def h(alpha, values):
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
def test_the_step_in_parameters_contracts_where_features_are_small(seed, part):
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
    with pytest.raises(sf.InvalidInput, match="which scaling the features brings about"):
        contraction.squared_modulus(alpha, (0.1, contraction.singular_value_limit(alpha)))


@pytest.mark.parametrize("alpha", [None, 0.05])
def test_the_projected_fixed_point_is_as_near_to_the_value_as_the_bounds_say(problem, alpha):
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


@pytest.mark.parametrize("loss", ["expectile:0.7", expectile, lambda x: float(expectile(x))])
def test_the_residual_is_the_mean_loss_of_each_state(problem, loss):
    values = problem.draw.normal(0.0, 10.0, size=6)
    plain = problem.residual(expectile, GAMMA, values)
    found = theory.expected_residual(problem.chain, loss, GAMMA, values)
    assert found == pytest.approx(plain, rel=1e-12, abs=1e-12)
    moved = theory.operator_h(problem.chain, loss, GAMMA, 0.3, values)
    assert moved == pytest.approx(values + 0.3 * plain, rel=1e-12, abs=1e-12)


def test_terminal_states_are_worth_nothing_whatever_is_passed_for_them():
    chain = sf.library.boyan_chain().under_policy()
    value = 2.0 * (13 - np.arange(14.0))
    value[13] = 77.0
    assert np.all(theory.expected_residual(chain, "mean", 1.0, value) == 0.0)
    assert theory.operator_h(chain, "mean", 1.0, 1.0, value)[13] == 0.0


def test_operators_refuse_what_does_not_fit(problem):
    with pytest.raises(sf.InvalidInput, match="3 values; accepted: one for each of 6 states"):
        theory.expected_residual(problem.chain, "mean", 0.5, np.zeros(3))
    with pytest.raises(sf.InvalidInput, match=r"gamma = 1.5; accepted: a number in \[0, 1\]"):
        theory.operator_h(problem.chain, "mean", 1.5, 0.1, np.zeros(6))
    with pytest.raises(sf.InvalidInput, match="values has 2 dimensions; accepted: 1"):
        theory.operator_h(problem.chain, "mean", 0.5, 0.1, np.zeros((6, 1)))
    with pytest.raises(sf.InvalidInput, match="theta has 2 entries; accepted: 3, one a feature"):
        problem.field().drift([1.0, 2.0])
    with pytest.raises(TypeError):
        theory.expected_residual("chain", "mean", 0.5, np.zeros(6))


def test_an_error_of_a_loss_is_the_error_of_the_call(problem):
    def loss(x):
        if np.any(np.abs(x) > 1e6):
            raise ZeroDivisionError("too far out")
        return x

    with pytest.raises(ZeroDivisionError, match="too far out"):
        theory.expected_residual(problem.chain, loss, 0.5, np.full(6, 1e9))


def test_distortion_is_that_of_the_rarest_transition(problem):
    low, high = 0.3, 0.7
    worst = max(high / (low + (high - low) * p) for p in problem.P.flat)
    found = theory.distortion_coefficient(problem.chain, "expectile:0.7")
    assert 1 + found == pytest.approx(worst, rel=1e-13)
    limit = theory.distortion_gamma_limit(problem.chain, "expectile:0.7")
    assert limit == pytest.approx(1 / math.sqrt(worst), rel=1e-13)
    example = sf.library.counterexample(0.9)
    limit = theory.distortion_gamma_limit(example.model.under_policy(), example.loss)
    assert limit == pytest.approx(math.sqrt(19) / 10, rel=1e-13)


@given(st.integers(0, 10_000))
def test_the_projection_is_weighted_least_squares(seed):
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


def test_the_projection_shows_its_features_without_letting_them_be_written(problem):
    projection = theory.Projection(problem.phi, problem.q)
    assert np.array_equal(projection.phi, problem.phi)
    assert np.array_equal(projection.q, problem.q)
    with pytest.raises(ValueError, match="read-only"):
        projection.phi[0, 0] = 1.0
    assert repr(projection).startswith("Projection(6 states, 3 features, condition ")


def test_dependent_features_are_named():
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
def test_the_drift_is_a_sum_over_states(problem, loss):
    theta = problem.draw.normal(0.0, 10.0, size=3)
    r = problem.residual(expectile, GAMMA, problem.phi @ theta)
    plain = sum(problem.q[x] * r[x] * problem.phi[x] for x in range(6))
    assert problem.field(loss).drift(theta) == pytest.approx(plain, rel=1e-12, abs=1e-12)


def test_the_jacobian_is_the_derivative_of_the_drift(problem):
    field = problem.field()
    theta = problem.draw.normal(0.0, 10.0, size=3)
    h = 1e-4  # the drift is linear between kinks, so that only rounding is left: about 1e-11
    columns = [(field.drift(theta + h * e) - field.drift(theta - h * e)) / (2 * h)
               for e in np.eye(3)]
    assert field.jacobian(theta) == pytest.approx(np.array(columns).T, rel=1e-8, abs=1e-9)


def test_the_discount_that_counts_is_gamma_where_q_is_stationary(problem):
    field = problem.field()
    assert field.effective_gamma == pytest.approx(GAMMA, rel=1e-12)
    assert field.monotonicity == pytest.approx(
        theory.monotonicity("expectile:0.7", GAMMA), rel=1e-11
    )
    uniform = theory.MeanField(problem.chain, "mean", GAMMA, problem.phi, np.full(6, 1 / 6))
    largest_inflow = problem.P.sum(axis=0).max()
    assert uniform.effective_gamma == pytest.approx(GAMMA * math.sqrt(largest_inflow), rel=1e-12)


def test_a_mean_field_keeps_its_chain_alive():
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
def test_the_projected_fixed_point_of_the_mean_solves_a_linear_system(seed):
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
def test_the_projected_fixed_point_of_an_expectile_is_the_root_that_scipy_finds(problem, loss):
    def drift(theta):
        r = problem.residual(expectile, GAMMA, problem.phi @ theta)
        return problem.phi.T @ (problem.q * r)

    theta = scipy.optimize.root(drift, np.zeros(3), tol=1e-12).x
    field = problem.field(loss)
    found = theory.projected_fixed_point(field, tolerance=1e-8, start=[1.0, -1.0, 1.0])
    assert found.status == "converged"
    # Both distances to the root are at most their residuals over s.
    miss = theory.q_norm(field.projection(problem.residual(expectile, GAMMA, problem.phi @ theta)),
                         problem.q)
    distance = theory.q_norm(problem.phi @ (found.theta - theta), problem.q)
    assert distance <= (found.residual_norm + miss) / field.monotonicity + 1e-12
    assert found.error_bound <= 1e-8
    assert repr(found).startswith("FixedPoint(converged, 3 features, within ")


def test_the_search_for_the_fixed_point_says_how_it_ended(problem):
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


def test_learning_on_the_counterexample_rests_anywhere_or_runs_away():
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


def test_threads_may_share_a_mean_field_with_a_python_loss(problem):
    field = problem.field(expectile)
    thetas = np.random.default_rng(1).normal(0.0, 10.0, size=(32, 3))
    one_by_one = [field.drift(theta) for theta in thetas]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(field.drift, thetas))
    assert np.array_equal(together, one_by_one)


@given(st.integers(0, 10_000), st.sampled_from([1500, 0]))
def test_the_stationary_law_is_an_eigenvector(seed, elimination_limit):
    problem = RandomChain(seed, states=8)
    found = theory.stationary_law(problem.chain, elimination_limit=elimination_limit)
    assert found.converged
    assert found.probability.sum() == pytest.approx(1.0, rel=1e-14)
    assert found.probability == pytest.approx(problem.q, rel=1e-10)
    assert (found.cycles == 0) == (elimination_limit == 1500)
    assert found.residual <= 1e-13


def test_a_stationary_law_needs_an_irreducible_chain():
    chain = sf.library.boyan_chain().under_policy()
    with pytest.raises(sf.InvalidInput, match="the chain is not irreducible: .*13 is terminal"):
        theory.stationary_law(chain)


def test_ergodicity_names_the_states_that_break_it():
    cycle = sf.Mdp([np.roll(np.eye(3), 1, axis=1)], cost=np.zeros(3)).under_policy()
    found = theory.check_ergodicity(cycle)
    assert found.period == 3
    assert found.cyclic_class.tolist() == [0, 1, 2]
    assert found.is_irreducible and not found.is_aperiodic and not found.is_ergodic
    assert theory.stationary_law(cycle).probability == pytest.approx(np.full(3, 1 / 3))
    drain = sf.Mdp([[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.1, 0.9]]], cost=np.zeros(3))
    found = theory.check_ergodicity(drain.under_policy())
    assert found.reference == 0
    assert found.not_reached.tolist() == [2]
    assert found.do_not_return.tolist() == []
    assert found.terminal.tolist() == []
    assert found.period == 0
    assert "state 3 cannot be reached from state 1" in found.message(state_base=1)
    assert "state 2 cannot be reached from state 0" in repr(found)
