"""All ways to build a model give the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import shortfall as sf


def random_arrays(states: int, actions: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """P and c of shape (A, N, N); some probabilities are 0."""
    random = np.random.default_rng(seed)
    transitions = random.random((actions, states, states)) * (random.random((actions, states, states)) < 0.6)
    transitions += np.eye(states)
    transitions /= transitions.sum(axis=2, keepdims=True)
    return transitions, random.normal(size=(actions, states, states))


def columns_of(transitions: np.ndarray, cost: np.ndarray) -> dict[str, np.ndarray]:
    action, state, next_state = np.nonzero(transitions)
    return {
        "idstatefrom": state,
        "idaction": action,
        "idstateto": next_state,
        "probability": transitions[action, state, next_state],
        "cost": cost[action, state, next_state],
    }


def assert_same(one: sf.Mdp, other: sf.Mdp) -> None:
    assert repr(one) == repr(other) and one.states == other.states
    for name in ("row_begin", "probability", "cost", "next"):
        ours, theirs = getattr(one.outcomes, name), getattr(other.outcomes, name)
        np.testing.assert_array_equal(ours, theirs, err_msg=name)
    for x in range(one.states):
        np.testing.assert_array_equal(one.actions(x), other.actions(x))


@given(states=st.integers(1, 7), actions=st.integers(1, 3), seed=st.integers(0, 1000))
def test_all_ways_to_build_a_model_agree(
    states: int, actions: int, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    transitions, cost = random_arrays(states, actions, seed)
    dense = sf.Mdp(transitions, cost=cost)
    sparse_cost = [sp.csr_matrix(np.where(p > 0, c, 0)) for p, c in zip(transitions, cost)]
    columns = columns_of(transitions, cost)
    frame = pd.DataFrame(columns)
    path = tmp_path_factory.mktemp("model") / "model.csv"
    frame.to_csv(path, index=False)
    for other in (
        sf.Mdp(list(transitions), cost=list(cost)),
        sf.Mdp([sp.csr_matrix(p) for p in transitions], cost=sparse_cost),
        sf.Mdp([sp.coo_matrix(p) for p in transitions], cost=[sp.csc_matrix(c) for c in cost]),
        sf.Mdp.from_outcomes(*list(columns.values())[:4], cost=columns["cost"]),
        sf.Mdp.from_frame(frame.sample(frac=1, random_state=1)),
        sf.Mdp.from_csv(str(path)),
        sf.Mdp(transitions, reward=-cost),
    ):
        np.testing.assert_allclose(
            sf.solve(other, "expectile:0.8", 0.9).values * (-1 if other.sense == "reward" else 1),
            sf.solve(dense, "expectile:0.8", 0.9).values,
            atol=1e-8,
        )
    assert_same(dense, sf.Mdp([sp.csr_matrix(p) for p in transitions], cost=sparse_cost))


def test_costs_by_state_and_by_action() -> None:
    transitions, _ = random_arrays(4, 2, 3)
    by_state = np.array([1.0, 2.0, 3.0, 4.0])
    by_pair = np.arange(8.0).reshape(4, 2)
    full = np.broadcast_to(by_state[None, :, None], (2, 4, 4))
    assert_same(sf.Mdp(transitions, cost=by_state), sf.Mdp(transitions, cost=full))
    full = np.broadcast_to(by_pair.T[:, :, None], (2, 4, 4))
    assert_same(sf.Mdp(transitions, cost=by_pair), sf.Mdp(transitions, cost=full))


def test_a_row_of_zeros_is_a_missing_action() -> None:
    transitions = np.zeros((2, 3, 3))
    transitions[0, 0, 1] = transitions[0, 1, 2] = transitions[1, 0, 2] = 1.0
    explicit = sp.csr_matrix(([1.0, 0.0], ([0, 1], [2, 0])), shape=(3, 3))
    assert explicit.nnz == 2  # one of them stored, though 0
    for model in (
        sf.Mdp(transitions, cost=[1.0, 2.0, 3.0]),
        sf.Mdp([sp.csr_matrix(transitions[0]), explicit], cost=[1.0, 2.0, 3.0]),
    ):
        assert [model.actions(x).tolist() for x in range(3)] == [[0, 1], [0], []]
        assert [model.is_terminal(x) for x in range(3)] == [False, False, True]
        best = sf.solve(model, "mean", 0.5)
        np.testing.assert_allclose(best.values, [1.0, 2.0, 0.0])
        assert best.policy.tolist() == [1, 0, -1]


def test_duplicate_and_unsorted_entries_of_matrices_are_summed() -> None:
    data, indices, begin = [0.25, 0.5, 0.25, 1.0], [1, 0, 1, 0], [0, 3, 4]
    cost = sp.csr_matrix(([1.0, 2.0, 3.0], [1, 1, 0], [0, 3, 3]), (2, 2))
    model = sf.Mdp([sp.csr_matrix((data, indices, begin), (2, 2))], cost=[cost])
    plain = sf.Mdp([np.array([[0.5, 0.5], [1.0, 0.0]])], cost=[np.array([[3.0, 3.0], [0, 0]])])
    exact = sf.evaluate(plain, None, "expectile:0.9", 0.9).values
    np.testing.assert_allclose(sf.evaluate(model, None, "expectile:0.9", 0.9).values, exact)
    wide = sp.csr_matrix((data, np.array(indices, np.int64), np.array(begin, np.int64)), (2, 2))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_allclose(
        sf.evaluate(sf.Mdp([wide], cost=[cost]), None, "expectile:0.9", 0.9).values, exact
    )


def test_outcomes_are_views_of_the_model() -> None:
    transitions, cost = random_arrays(5, 2, 1)
    model = sf.Mdp(transitions, cost=cost)
    probability = model.outcomes.probability
    assert np.shares_memory(probability, model.outcomes.probability)
    assert not probability.flags.writeable
    total = probability.sum()
    del model
    assert probability.sum() == total  # it keeps the model alive


def test_ids_of_frames_and_files_may_start_at_one(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "idstatefrom": [1, 1, 2],
            "idaction": [1, 2, 1],
            "idstateto": [2, 1, 2],
            "probability": [1.0, 1.0, 1.0],
            "reward": [1.0, 2.0, 5.0],
        }
    )
    path = str(tmp_path / "one.csv")
    sf.Mdp.from_frame(frame).to_csv(path)
    for model in (sf.Mdp.from_frame(frame), sf.Mdp.from_csv(path)):
        assert (model.state_base, model.action_base, model.sense) == (1, 1, "reward")
        best = sf.solve(model, "mean", 0.9)
        assert best.policy.tolist() == [1, 1]
        np.testing.assert_allclose(best.values, [46.0, 50.0], rtol=1e-7)
        again = sf.evaluate(model, best.policy, "mean", 0.9)
        np.testing.assert_allclose(again.values, best.values, rtol=1e-7)


def test_a_saved_model_is_loaded_bit_for_bit(tmp_path: Path) -> None:
    transitions, cost = random_arrays(6, 3, 5)
    for model in (sf.Mdp(transitions, cost=cost), sf.Mdp(transitions, reward=cost)):
        model.save(tmp_path / "model.bin")
        loaded = sf.Mdp.load(tmp_path / "model.bin", threads=1)
        assert_same(loaded, model)
        assert loaded.sense == model.sense
        best, again = (sf.solve(m, "expectile:0.9", 0.9) for m in (model, loaded))
        assert best.values.tobytes() == again.values.tobytes()
        model.to_csv(tmp_path / "model.csv")
        assert repr(sf.Mdp.load(tmp_path / "model.csv")) == repr(model)
    (tmp_path / "model.bin").write_bytes((tmp_path / "model.bin").read_bytes()[:-1])
    with pytest.raises(ValueError, match="model.bin.*fewer than its index says; accepted"):
        sf.Mdp.load(tmp_path / "model.bin")


# Like Gymnasium's FrozenLake without ice, and like Taxi, where done leads to an ordinary state.
CORRIDOR: dict[int, dict[int, list[tuple[float, int, float, bool]]]] = {
    0: {0: [(1.0, 0, 0.0, False)], 1: [(1.0, 1, 0.0, False)]},
    1: {0: [(1.0, 0, 0.0, False)], 1: [(0.5, 2, 1.0, True), (0.5, 1, 0.0, False)]},
    2: {0: [(1.0, 2, 0, True)], 1: [(1.0, 2, 0, True)]},
}


def test_gymnasium_states_that_only_end_are_terminal() -> None:
    model = sf.Mdp.from_gym(CORRIDOR)
    assert model.states == 3 and model.is_terminal(2) and model.sense == "reward"
    best = sf.solve(model, "mean", 0.9)
    v1 = 0.5 / (1 - 0.45)
    np.testing.assert_allclose(best.values, [0.9 * v1, v1, 0.0], atol=1e-6)
    assert best.policy.tolist() == [1, 1, -1]


def test_gymnasium_outcomes_that_are_done_have_no_future_rewards() -> None:
    taxi = {0: {0: [(1.0, 1, 20.0, True)]}, 1: {0: [(1.0, 0, -1.0, False)]}}
    model = sf.Mdp.from_gym(taxi)
    assert model.states == 3 and model.is_terminal(2)
    np.testing.assert_allclose(sf.solve(model, "mean", 0.9).values, [20.0, 17.0, 0.0], atol=1e-6)


def test_gymnasium_states_that_cannot_be_reached_are_kept() -> None:
    """Like a hole of the frozen lake that is surrounded by holes."""
    hole = [(1.0, 1, 0.0, True)]
    model = sf.Mdp.from_gym({0: {0: [(1.0, 0, 1.0, False)]}, 1: {0: hole}, 2: {0: [(1.0, 2, 0, True)]}})
    assert [model.is_terminal(x) for x in range(model.states)] == [False, True, True]


def test_matrices_may_be_any_iterable_of_sparse_and_dense_ones() -> None:
    transitions, cost = random_arrays(4, 2, 1)
    plain = sf.Mdp(transitions, cost=cost)
    mixed = [sp.csr_matrix(np.where(transitions[0] > 0, cost[0], 0)), cost[1]]
    assert_same(plain, sf.Mdp((p for p in transitions), cost=cost))
    assert_same(plain, sf.Mdp([sp.csr_matrix(transitions[0]), transitions[1]], cost=mixed))


def test_nullable_and_unsigned_columns_of_pandas_are_numbers() -> None:
    frame = pd.DataFrame(columns_of(*random_arrays(3, 2, 1)))
    plain = sf.Mdp.from_frame(frame)
    nullable = frame.convert_dtypes()
    assert str(nullable["idaction"].dtype) == "Int64" and str(nullable["cost"].dtype) == "Float64"
    assert_same(plain, sf.Mdp.from_frame(nullable))
    unsigned = frame.astype({"idaction": np.uint64, "idstatefrom": np.uint8})
    assert_same(plain, sf.Mdp.from_frame(unsigned))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sf.Mdp([np.eye(2)]), "neither cost nor reward"),
        (lambda: sf.Mdp([np.eye(2)], cost=[0, 0], reward=[0, 0]), "both cost and reward"),
        (lambda: sf.Mdp([], cost=[0.0]), "transitions is empty"),
        (lambda: sf.Mdp([np.eye(2), np.eye(3)], cost=[0, 0]), "3 by 3; accepted: 2 by 2"),
        (lambda: sf.Mdp([np.ones((2, 3))], cost=[0, 0]), "2 by 3"),
        (lambda: sf.Mdp(sp.eye(2), cost=[0, 0]), "a list with one matrix per action"),
        (lambda: sf.Mdp([np.eye(2) * 0.9], cost=[0, 0]), "state 0, action 0: probabilities sum to 0.9"),
        (lambda: sf.Mdp([[[1.5, -0.5], [0, 1]]], cost=[0, 0]), "state 0, action 0: probability"),
        (lambda: sf.Mdp([np.eye(2)], cost=[0, np.nan]), "state 1, action 0: cost nan"),
        (lambda: sf.Mdp([np.eye(2)], cost=[0, 0, 0]), r"accepted: \(2,\), \(2, 1\)"),
        (lambda: sf.Mdp([sp.eye(2)], cost=[sp.eye(2), sp.eye(2)]), "2 matrices of amounts"),
        (lambda: sf.Mdp(np.zeros((1, 2, 2)), cost=[0, 0]), "no transitions"),
        (lambda: sf.Mdp.from_outcomes([0], [0], [0, 1], [1.0], cost=[0]), "equal lengths"),
        (lambda: sf.Mdp.from_outcomes([0], [-1], [0], [1.0], cost=[0]), "action contains -1"),
        (lambda: sf.Mdp.from_outcomes([2**40], [0], [0], [1.0], cost=[0]), "state contains"),
        (lambda: sf.Mdp.from_outcomes([0], [0], [7], [1.0], cost=[0]), "state ids are not consecutive"),
        (lambda: sf.Mdp.from_frame(pd.DataFrame({"idstatefrom": [0]})), "no column idaction"),
        (lambda: sf.Mdp.from_gym({0: {0: [(1.0, 5, 0.0, False)]}}), "leads to state 5"),
        (lambda: sf.Mdp.from_gym({0: {0: [(1.0, 0, 0.0)]}}), "an outcome with 3 entries"),
        (lambda: sf.Mdp.from_gym({0: {2**32: [(1.0, 0, 0.0, False)]}}), "id 4294967296"),
        (lambda: sf.Mdp.from_gym({5: {0: [(1.0, 5, 0.0, False)]}}), "all states numbered from 0"),
        (lambda: sf.Mdp.from_gym({"a": {0: [(1.0, 0, 0.0, False)]}}), "of a wrong type"),
        (lambda: sf.Mdp.from_gym({0: {0: [(1.0, 0.5, 0.0, False)]}}), "of a wrong type"),
        (lambda: sf.Mdp.from_csv("no/such.csv"), "no/such.csv"),
    ],
)
def test_invalid_models_are_rejected(make: Any, message: str) -> None:
    with pytest.raises(sf.InvalidInput, match=message):
        make()


def test_a_column_of_the_wrong_type_is_named() -> None:
    frame = pd.DataFrame(columns_of(*random_arrays(2, 1, 1)))
    frame["idaction"] = frame["idaction"] + 0.5
    with pytest.raises(sf.InvalidInput, match="column idaction has type float64; accepted: integers"):
        sf.Mdp.from_frame(frame)


def test_an_inconsistent_sparse_matrix_is_rejected() -> None:
    matrix = sp.csr_matrix(np.eye(3))
    matrix.indptr = np.array([0, 1, 2, 9], np.int32)
    with pytest.raises(sf.InvalidInput, match="do not fit"):
        sf.Mdp([matrix], cost=[0, 0, 0])
    matrix = sp.csr_matrix(np.eye(3))
    matrix.indptr = np.array([0, 1], np.int32)
    for arguments in (([matrix], [0, 0, 0]), ([np.eye(3)], [matrix])):
        with pytest.raises(sf.InvalidInput, match="do not fit"):
            sf.Mdp(arguments[0], cost=arguments[1])
    matrix = sp.csr_matrix(np.eye(3))
    matrix.indices = np.array([0, 1, 2000], np.int32)
    with pytest.raises(sf.InvalidInput, match="leads to state 2000; accepted: 0 to 2"):
        sf.Mdp([matrix], cost=[0, 0, 0])


def test_a_file_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    model = sf.Mdp([np.eye(2)], cost=[1, 2])
    with pytest.raises(OSError, match="nowhere"):
        model.to_csv(str(tmp_path / "nowhere" / "model.csv"))


@given(
    weights=hnp.arrays(float, (4, 2), elements=st.floats(0.05, 1)),
    seed=st.integers(0, 100),
    mixture=st.booleans(),
)
def test_a_randomised_policy_mixes_kernels(
    weights: np.ndarray, seed: int, mixture: bool
) -> None:
    """For the mean, both kinds of induced cost give the linear system of the mixed chain."""
    weights /= weights.sum(axis=1, keepdims=True)
    transitions, cost = random_arrays(4, 2, seed)
    found = sf.evaluate(
        sf.Mdp(transitions, cost=cost),
        weights,
        "mean",
        0.9,
        induced_cost="mixture" if mixture else "averaged",
    )
    kernel = np.einsum("xa,axy->xy", weights, transitions)
    mean_cost = np.einsum("xa,axy,axy->x", weights, transitions, cost)
    exact = np.linalg.solve(np.eye(4) - 0.9 * kernel, mean_cost)
    np.testing.assert_allclose(found.values, exact, atol=1e-6)


def test_a_uniform_policy_is_that_of_equal_weights() -> None:
    transitions, cost = random_arrays(4, 3, 1)
    model = sf.Mdp(transitions, cost=cost)
    for kind in ("mixture", "averaged"):
        found = sf.evaluate(model, "uniform", "expectile:0.8", 0.9, induced_cost=kind)
        same = sf.evaluate(model, np.full((4, 3), 1 / 3), "expectile:0.8", 0.9, induced_cost=kind)
        np.testing.assert_array_equal(found.values, same.values)
    assert sf.check("mean", 0.9, model, "uniform").guaranteed


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ([0], "1 entries; accepted: one for each of 2"),
        ([0, 5], "state 1 action 5"),
        ([0, -7], "accepted: action ids"),
        (None, "states have a choice"),
        ([[0.5, 0.6], [1, 0]], "sum to 1.1"),
        ([[0.5, 0.5, 0.1], [1, 0, 0]], "for action 2, which it does not have"),
        ([[1.0, 0.0]], "a row for each of 2 states"),
        ("unifrom", "the policy 'unifrom'; accepted: 'uniform', action ids"),
        ("\ud800", "accepted: 'uniform'"),
    ],
)
def test_invalid_policies_are_rejected(policy: Any, message: str) -> None:
    model = sf.Mdp([np.eye(2), np.eye(2)[::-1]], cost=[1, 2])
    with pytest.raises(sf.InvalidInput, match=message):
        model.under_policy(policy)


def test_a_path_follows_the_chain() -> None:
    transitions = np.array([[0.25, 0.75, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 0.0]])
    chain = sf.Mdp([transitions], cost=[1.0, 2.0, 0.0]).under_policy()
    state, cost, next_state, terminal = chain.sample(40_000, seed=3)
    np.testing.assert_array_equal(cost, np.where(state == 0, 1.0, 2.0))
    np.testing.assert_array_equal(terminal, next_state == 2)
    np.testing.assert_array_equal(state[1:], np.where(terminal[:-1], 0, next_state[:-1]))
    share = (next_state[state == 0] == 1).mean()
    assert share == pytest.approx(0.75, abs=5 * np.sqrt(0.75 * 0.25 / (state == 0).sum()))
    again = chain.sample(40_000, seed=3)
    np.testing.assert_array_equal(again[0], state)
    with pytest.raises(sf.InvalidInput, match="accepted: 0 to 2"):
        chain.sample(10, start=3)
