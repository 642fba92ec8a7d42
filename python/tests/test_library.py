"""The library models agree with published results."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import shortfall as sf
from shortfall import library


def kernel(model, action):
    """P(x'|x, action) as a matrix, from the outcomes of a model that has every action."""
    rows = model.outcomes
    matrix = np.zeros((model.states, model.states))
    actions = len(model.actions(0))
    for x in range(model.states):
        r = x * actions + action
        for k in range(rows.row_begin[r], rows.row_begin[r + 1]):
            matrix[x, rows.next[k]] += rows.probability[k]
    return matrix


def test_a_forest_of_three_ages_is_left_to_grow():
    found = sf.solve(library.forest(), "mean", 0.9, tolerance=1e-9)
    assert found.values == pytest.approx([-26.244, -29.484, -33.484], abs=2e-9)
    assert found.policy.tolist() == [0, 0, 0]


def test_a_forest_burns_and_grows_according_to_its_parameters():
    model = library.forest(4, wait_reward=7.0, cut_reward=5.0, fire_probability=0.25)
    grow = np.array([[1, 3, 0, 0], [1, 0, 3, 0], [1, 0, 0, 3], [1, 0, 0, 3]]) / 4
    assert np.array_equal(kernel(model, 0), grow)
    assert np.array_equal(kernel(model, 1), np.eye(4)[[0, 0, 0, 0]])
    cost = [model.outcomes.cost[b] for b in model.outcomes.row_begin[:-1]]
    assert cost == [0, 0, 0, -1, 0, -1, -7, -5]
    assert model.sense == "cost"


@given(st.floats(0.05, 0.95))
def test_the_value_of_boyans_chain_is_linear_with_the_right_final_cost(tau):
    c = library.boyan_final_cost(sf.expectile(tau))
    assert c == pytest.approx(3 / (2 - tau), rel=1e-13)
    rows = library.boyan_chain(c).outcomes
    value = np.zeros(14)
    for s in reversed(range(13)):  # transitions lead to later states only
        row = slice(rows.row_begin[s], rows.row_begin[s + 1])
        value[s] = sf.risk(rows.cost[row] + value[rows.next[row]], rows.probability[row],
                           sf.expectile(tau))
    assert value == pytest.approx(c * (13 - np.arange(14)), rel=1e-12)


def test_the_final_cost_of_boyans_chain_solves_its_equation_for_any_loss():
    def loss(x):
        return 2 * x + np.sqrt(1 + x * x) - 1

    for each in ("mean", "entropic:0.7", "soft-quantile:0.8,2", loss):
        c = library.boyan_final_cost(each)
        assert 2 * c == pytest.approx(3 + sf.risk([0.0, c], [0.5, 0.5], each), rel=1e-12)


def test_boyans_features_represent_the_linear_value():
    phi = library.boyan_features()
    assert phi.shape == (14, 4)
    assert phi @ [13.0, 9.0, 5.0, 1.0] == pytest.approx(13.0 - np.arange(14), abs=1e-14)
    assert np.all(phi[13] == 0)
    assert np.array_equal(phi[[0, 4, 8, 12]], np.eye(4))


@pytest.mark.parametrize("p, gamma", [(0.5, 0.9), (0.2, 0.95), (1.0, 0.8)])
def test_machines_are_replaced_at_the_optimal_wear(p, gamma):
    n, price, wear = 10, 20.0, 3.0

    def value_of_limit(k):
        # V(x) = a(x) V(0) + b(x), backwards from V(k) = V(0) + price; then solve for V(0).
        if k >= n:  # never: the last state stays where it is
            a, b = [0.0] * n, [0.0] * n
            b[n - 1] = wear * (n - 1) / (1 - gamma)
            last = n - 1
        else:
            a, b = [1.0] * n, [price] * n
            last = k
        for x in reversed(range(last)):
            a[x] = gamma * p * a[x + 1] / (1 - gamma * (1 - p))
            b[x] = (wear * x + gamma * p * b[x + 1]) / (1 - gamma * (1 - p))
        start = b[0] / (1 - a[0])
        return np.array(a) * start + np.array(b)

    best = np.min([value_of_limit(k) for k in range(1, n + 1)], axis=0)
    model = library.machine_replacement(n, replacement_cost=price, wear_cost=wear,
                                        wear_probability=p)
    found = sf.solve(model, "mean", gamma, tolerance=1e-9)
    assert found.values == pytest.approx(best, abs=1e-8)
    assert np.all(np.diff(found.policy) >= 0)


def test_river_swim_is_as_published():
    model = library.river_swim(5, small_reward=1.0, large_reward=100.0)
    right = np.array([[7, 3, 0, 0, 0], [1, 6, 3, 0, 0], [0, 1, 6, 3, 0], [0, 0, 1, 6, 3],
                      [0, 0, 0, 7, 3]]) / 10
    assert kernel(model, 1) == pytest.approx(right, abs=1e-15)
    assert np.array_equal(kernel(model, 0), np.eye(5)[[0, 0, 1, 2, 3]])
    rows = model.outcomes
    paid = {(r // 2, r % 2, int(rows.next[k])): float(rows.cost[k])
            for r in range(10) for k in range(rows.row_begin[r], rows.row_begin[r + 1])
            if rows.cost[k] != 0}
    assert paid == {(0, 0, 0): -1.0, (4, 1, 4): -100.0}


def test_the_number_of_features_does_not_change_a_random_model():
    few, many = library.random_mdp(features=3, seed=5), library.random_mdp(features=10, seed=5)
    for name in ("probability", "cost", "next"):
        first, second = (getattr(each.model.outcomes, name) for each in (few, many))
        assert np.array_equal(first, second)
    assert np.array_equal(few.policy, many.policy)
    assert few.model is few.model
    assert few.features == pytest.approx(many.features[:, :3], abs=1e-13)
    assert few.features.T @ few.features == pytest.approx(np.eye(3), abs=1e-14)
    assert not np.array_equal(few.policy, library.random_mdp(seed=6).policy)


def test_random_models_have_the_documented_distributions():
    drawn = library.random_mdp(60, actions=40, features=2, seed=1)
    costs = drawn.model.outcomes.cost[::60]  # one a pair of state and action: 2400
    assert len(costs) == 2400
    assert abs(costs.mean() - 10) < 4 * 10 / math.sqrt(2400)
    # The variance of a sample variance of normals is 2 sigma^4 / n.
    assert abs(costs.var() - 100) < 4 * 100 * math.sqrt(2 / 2400)
    sums = drawn.model.outcomes.probability.reshape(2400, 60).sum(axis=1)
    assert sums == pytest.approx(np.ones(2400), abs=1e-13)
    assert repr(drawn) == "RandomMdp(60 states, 2 features)"


@pytest.mark.parametrize("root, sign", [("smaller", -1), ("larger", 1)])
def test_the_counterexample_has_the_roots_of_its_polynomial(root, sign):
    found = library.counterexample(0.9, root)
    delta = (891 + sign * math.sqrt(465917)) / 182
    assert found.features[:, 0] == pytest.approx([1.0, delta], rel=1e-14)
    assert 91 * delta**2 - 891 * delta + 901 == pytest.approx(0.0, abs=1e-10)
    assert found.loss.slope_bounds == pytest.approx((1 / 11, 10 / 11), rel=1e-14)
    assert found.gamma == 0.9
    assert np.array_equal(kernel(found.model, 0).round(15), [[0.1, 0.9], [0.9, 0.1]])


def test_all_small_models_can_be_solved():
    models = library.small_models()
    assert len(models) >= 6
    for name, model in models.items():
        assert model.states <= 50, name
        assert sf.solve(model, "expectile:0.7", 0.9).status == "converged", name


def test_parameters_out_of_range_are_rejected_with_their_names():
    with pytest.raises(sf.InvalidInput, match="the probability of fire is 2; accepted: "):
        library.forest(fire_probability=2.0)
    with pytest.raises(sf.InvalidInput, match="accepted: a number from 2"):
        library.river_swim(1)
    with pytest.raises(sf.InvalidInput, match="11 features on 10 states"):
        library.random_mdp(features=11)
    with pytest.raises(sf.InvalidInput, match="root 'middle'; accepted: smaller, larger"):
        library.counterexample(0.9, "middle")
    with pytest.raises(sf.InvalidInput, match=r"accepted: a number in \(0, 1\]"):
        library.counterexample(0.0)
    with pytest.raises(TypeError):
        library.forest(-1)
