"""Solving and evaluating, against independent computations and with every kind of loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf

METHODS = [
    "adaptive",
    "policy-iteration",
    "modified-policy-iteration",
    "value-iteration",
    "gauss-seidel",
]


def random_model(states: int, actions: int, seed: int) -> tuple[np.ndarray, np.ndarray, sf.Mdp]:
    random = np.random.default_rng(seed)
    transitions = random.dirichlet(np.ones(states), (actions, states))
    cost = random.normal(size=(actions, states, states))
    return transitions, cost, sf.Mdp(transitions, cost=cost)


@pytest.mark.parametrize("method", METHODS)
@given(states=st.integers(1, 6), actions=st.integers(1, 3), seed=st.integers(0, 999))
def test_values_satisfy_the_bellman_equation(
    method: Any, states: int, actions: int, seed: int
) -> None:
    transitions, cost, model = random_model(states, actions, seed)
    best = sf.solve(model, "expectile:0.8", 0.8, method=method, tolerance=1e-9)
    assert best.status == "converged" and best.error_bound <= 1e-9
    risks = np.array(
        [
            [
                sf.risk(cost[a, x] + 0.8 * best.values, transitions[a, x], "expectile:0.8")
                for a in range(actions)
            ]
            for x in range(states)
        ]
    )
    np.testing.assert_allclose(best.values, risks.min(axis=1), atol=2e-9)
    np.testing.assert_allclose(
        risks[np.arange(states), best.policy], risks.min(axis=1), atol=4e-9
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_a_function_as_loss_gives_the_same_values_as_the_built_in_loss(threads: int) -> None:
    """In several threads, which share the interpreter lock."""
    _, _, model = random_model(60, 3, 1)
    exact = sf.solve(model, "expectile:0.9", 0.9)
    function = sf.Loss(lambda x: np.where(x > 0, 0.9 * x, 0.1 * x), slope_bounds=(0.1, 0.9))
    found = sf.solve(model, function, 0.9, threads=threads)
    np.testing.assert_allclose(found.values, exact.values, atol=2e-6)
    np.testing.assert_array_equal(found.policy, exact.policy)
    evaluated = sf.evaluate(model, exact.policy, function, 0.9, threads=threads)
    np.testing.assert_allclose(evaluated.values, exact.values, atol=2e-6)


def test_without_slope_bounds_values_are_right_but_not_certified() -> None:
    _, _, model = random_model(20, 2, 2)
    exact = sf.solve(model, "expectile:0.9", 0.9)
    found = sf.solve(model, lambda x: np.where(x > 0, 0.9 * x, 0.1 * x), 0.9)
    assert found.status == "precision-limit"
    np.testing.assert_allclose(found.values, exact.values, atol=2e-6)


def test_an_error_in_a_function_stops_the_solver() -> None:
    _, _, model = random_model(50, 2, 1)
    calls = 0

    def loss(x: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls > 200:
            raise ZeroDivisionError("mine")
        return x

    with pytest.raises(ZeroDivisionError, match="mine"):
        sf.solve(model, loss, 0.9)


def test_the_monitor_sees_every_iteration_and_can_stop() -> None:
    _, _, model = random_model(10, 2, 1)
    told: list[sf.Progress] = []
    found = sf.solve(model, "mean", 0.9, method="value-iteration", monitor=told.append)
    assert [(progress.done, progress.error_bound) for progress in told] == [
        (record.iteration, record.error_bound) for record in found.trace
    ]
    assert len(told) == found.iterations > 1
    assert str(told[0]).startswith("solving: 1 iteration, within ")

    stopped = sf.solve(model, "mean", 0.9, method="value-iteration", monitor=lambda _: False)
    assert (stopped.status, stopped.iterations) == ("stopped", 1)
    assert np.abs(stopped.values - found.values).max() <= stopped.error_bound + found.error_bound

    def refuse(progress: sf.Progress) -> None:
        raise KeyError(progress.done)

    with pytest.raises(KeyError, match="1"):
        sf.solve(model, "mean", 0.9, monitor=refuse)


def test_good_starting_values_save_iterations() -> None:
    _, _, model = random_model(30, 2, 5)
    cold = sf.solve(model, "expectile:0.9", 0.99, method="value-iteration")
    warm = sf.solve(model, "expectile:0.9", 0.99, method="value-iteration", start=cold.values)
    assert warm.iterations < cold.iterations
    np.testing.assert_allclose(warm.values, cold.values, atol=2e-6)


def test_values_and_policy_are_views_that_outlive_the_model() -> None:
    _, _, model = random_model(10, 2, 1)
    found = sf.solve(model, "mean", 0.9)
    values = found.values
    assert np.shares_memory(values, found.values) and not values.flags.writeable
    assert np.shares_memory(found.policy, found.policy) and found.policy.dtype == np.int32
    total = values.sum()
    del found, model
    assert values.sum() == total
    with pytest.raises(ValueError):
        values[0] = 1.0


def test_without_a_tolerance_a_millionth_of_a_large_value_is_enough() -> None:
    _, cost, _ = random_model(4, 2, seed=1)
    model = sf.Mdp(np.full((2, 4, 4), 0.25), cost=1e9 * (3.0 + cost))
    best = sf.solve(model, "expectile:0.9", 0.99)
    assert best.status == "converged"
    assert 1e-6 < best.error_bound <= 1e-6 * np.abs(best.values).max()
    asked = sf.solve(model, "expectile:0.9", 0.99, tolerance=1e-6)
    assert asked.status == "precision-limit" and asked.error_bound == best.error_bound
    assert np.array_equal(asked.values, best.values)
    assert sf.evaluate(model, best.policy, "expectile:0.9", 0.99).status == "converged"


def test_iteration_limit_and_overflow_are_statuses() -> None:
    _, _, model = random_model(10, 2, 1)
    limited = sf.solve(model, "mean", 0.9, method="value-iteration", max_iterations=2)
    assert limited.status == "iteration-limit" and limited.iterations == 2
    exact = sf.solve(model, "mean", 0.9).values
    assert abs(limited.values - exact).max() <= limited.error_bound
    huge = sf.Mdp([np.eye(1)], cost=[1e308])
    assert sf.solve(huge, "mean", 0.9).status == "overflow"


def test_finite_horizons_follow_the_recursion() -> None:
    transitions, cost, model = random_model(5, 2, 4)
    found = sf.solve_finite_horizon(model, "expectile:0.9", 1.0, stages=4)
    assert found.values.shape == (5, 5) and found.policies.shape == (4, 5)
    values = np.zeros(5)
    for t in range(4):
        risks = np.array(
            [
                [sf.risk(cost[a, x] + values, transitions[a, x], "expectile:0.9") for a in (0, 1)]
                for x in range(5)
            ]
        )
        values = risks.min(axis=1)
        np.testing.assert_allclose(found.values[t + 1], values, atol=1e-12)
        np.testing.assert_array_equal(found.policies[t], risks.argmin(axis=1))
    last = sf.solve_finite_horizon(model, "expectile:0.9", 1.0, stages=4, keep="last")
    np.testing.assert_array_equal(last.values, found.values[-1:])
    fixed = sf.evaluate_finite_horizon(
        model, found.policies[0], "mean", 0.5, stages=3, terminal_values=np.ones(5)
    )
    kernel = transitions[found.policies[0], np.arange(5)]
    step = (kernel * cost[found.policies[0], np.arange(5)]).sum(axis=1)
    values = np.ones(5)
    for _ in range(3):
        values = step + 0.5 * kernel @ values
    np.testing.assert_allclose(fixed.values[-1], values, atol=1e-12)
    assert fixed.policies.shape == (0, 5)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("mean", 1.5), {}, "gamma = 1.5; accepted: a number strictly between 0 and 1"),
        (("mean", 0.9), {"tolerance": 0.0}, "tolerance = 0; accepted"),
        (("mean", 0.9), {"max_iterations": 0}, "max_iterations = 0"),
        (("mean", 0.9), {"method": "magic"}, "method 'magic'; accepted: adaptive"),
        (("mean", 0.9), {"start": [1.0]}, "1 starting values for 10 states"),
        (("nice", 0.9), {}, "loss 'nice' is not known"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: Any, options: Any, message: str) -> None:
    _, _, model = random_model(10, 2, 1)
    with pytest.raises(sf.InvalidInput, match=message):
        sf.solve(model, *arguments, **options)
