"""Chains: residuals, distortion, stationary laws and ergodicity, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf
from shortfall import theory
from theory_for_tests import GAMMA, RandomChain, expectile


@pytest.fixture(scope="module")
def problem() -> RandomChain:
    return RandomChain(seed=3)


@pytest.mark.parametrize("loss", ["expectile:0.7", expectile, lambda x: float(expectile(x))])
def test_the_residual_is_the_mean_loss_of_each_state(
    problem: RandomChain, loss: sf.LossLike
) -> None:
    values = problem.draw.normal(0.0, 10.0, size=6)
    plain = problem.residual(expectile, GAMMA, values)
    found = theory.expected_residual(problem.chain, loss, GAMMA, values)
    assert found == pytest.approx(plain, rel=1e-12, abs=1e-12)
    moved = theory.operator_h(problem.chain, loss, GAMMA, 0.3, values)
    assert moved == pytest.approx(values + 0.3 * plain, rel=1e-12, abs=1e-12)


def test_terminal_states_have_value_zero_whatever_is_passed_for_them() -> None:
    chain = sf.library.boyan_chain().under_policy()
    value = 2.0 * (13 - np.arange(14.0))
    value[13] = 77.0
    assert np.all(theory.expected_residual(chain, "mean", 1.0, value) == 0.0)
    assert theory.operator_h(chain, "mean", 1.0, 1.0, value)[13] == 0.0


def test_operators_reject_invalid_arguments(problem: RandomChain) -> None:
    with pytest.raises(sf.InvalidInput, match="3 values; accepted: one for each of 6 states"):
        theory.expected_residual(problem.chain, "mean", 0.5, np.zeros(3))
    with pytest.raises(sf.InvalidInput, match=r"gamma = 1.5; accepted: a number in \[0, 1\]"):
        theory.operator_h(problem.chain, "mean", 1.5, 0.1, np.zeros(6))
    with pytest.raises(sf.InvalidInput, match="values has 2 dimensions; accepted: 1"):
        theory.operator_h(problem.chain, "mean", 0.5, 0.1, np.zeros((6, 1)))
    with pytest.raises(sf.InvalidInput, match="theta has 2 entries; accepted: 3, one per feature"):
        problem.field().drift([1.0, 2.0])
    with pytest.raises(TypeError):
        theory.expected_residual("chain", "mean", 0.5, np.zeros(6))


def test_an_error_in_a_loss_is_passed_on(problem: RandomChain) -> None:
    def loss(x: np.ndarray) -> np.ndarray:
        if np.any(np.abs(x) > 1e6):
            raise ZeroDivisionError("too far out")
        return x

    with pytest.raises(ZeroDivisionError, match="too far out"):
        theory.expected_residual(problem.chain, loss, 0.5, np.full(6, 1e9))


def test_the_distortion_is_determined_by_the_rarest_transition(problem: RandomChain) -> None:
    low, high = 0.3, 0.7
    worst = max(high / (low + (high - low) * p) for p in problem.P.flat)
    found = theory.distortion_coefficient(problem.chain, "expectile:0.7")
    assert 1 + found == pytest.approx(worst, rel=1e-13)
    limit = theory.distortion_gamma_limit(problem.chain, "expectile:0.7")
    assert limit == pytest.approx(1 / math.sqrt(worst), rel=1e-13)
    example = sf.library.counterexample(0.9)
    limit = theory.distortion_gamma_limit(example.model.under_policy(), example.loss)
    assert limit == pytest.approx(math.sqrt(19) / 10, rel=1e-13)


@given(st.integers(0, 10_000), st.sampled_from([1500, 0]))
def test_the_stationary_law_is_an_eigenvector(seed: int, elimination_limit: int) -> None:
    problem = RandomChain(seed, states=8)
    found = theory.stationary_law(problem.chain, elimination_limit=elimination_limit)
    assert found.converged
    assert found.probability.sum() == pytest.approx(1.0, rel=1e-14)
    assert found.probability == pytest.approx(problem.q, rel=1e-10)
    assert (found.cycles == 0) == (elimination_limit == 1500)
    assert found.residual <= 1e-13


def test_a_stationary_law_needs_an_irreducible_chain() -> None:
    chain = sf.library.boyan_chain().under_policy()
    with pytest.raises(sf.InvalidInput, match="the chain is not irreducible: .*13 is terminal"):
        theory.stationary_law(chain)


def test_ergodicity_names_the_states_that_violate_it() -> None:
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
