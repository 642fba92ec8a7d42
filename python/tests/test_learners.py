"""Learners: one update at a time, in batches, in threads, copied and pickled."""

from __future__ import annotations

import copy
import pickle
import threading
import time
from typing import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf

MAKERS: dict[str, Callable[[int], sf.Learner]] = {
    "td": lambda d: sf.Td(d, "expectile:0.9", 0.9),
    "td averaged": lambda d: sf.Td(d, "expectile:0.9", 0.9, average_from=3),
    "td constant": lambda d: sf.Td(d, "soft-quantile:0.8,2", 0.9, step=0.01),
    "td of a function": lambda d: sf.Td(d, np.arcsinh, 0.9),
    "td-lambda": lambda d: sf.TdLambda(d, "expectile:0.9", 0.9, lambda_=0.7),
    "newton": lambda d: sf.Newton(d, "expectile:0.9", 0.9, warmup=2 * d),
}
makers = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


def path(steps: int, d: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=(steps + 1, d)), random.random(steps)


@makers
@given(steps=st.integers(0, 60), d=st.integers(1, 5), data=st.data())
def test_a_batch_gives_the_same_bits_as_single_updates(
    make: Callable[[int], sf.Learner], steps: int, d: int, data: st.DataObject
) -> None:
    phi, cost = path(steps, d)
    terminal = np.array(data.draw(st.lists(st.booleans(), min_size=steps, max_size=steps)), bool)
    cut = data.draw(st.integers(0, steps))
    one, many = make(d), make(d)
    for i in range(steps):
        if terminal[i]:
            one.update_terminal(phi[i], cost[i])
        else:
            one.update(phi[i], cost[i], phi[i + 1])
    for part in (slice(0, cut), slice(cut, steps)):
        many.update_many(phi[:-1][part], cost[part], phi[1:][part], terminal[part])
    assert one.theta.tobytes() == many.theta.tobytes()
    assert (one.updates, one.status) == (many.updates, many.status)


def test_td_follows_its_formula() -> None:
    phi, cost = path(50, 3)
    td = sf.Td(3, "expectile:0.9", 0.8, step=(2.0, 100.0, 2 / 3))
    theta = np.zeros(3)
    for n in range(50):
        error = cost[n] + 0.8 * phi[n + 1] @ theta - phi[n] @ theta
        theta = theta + 2 / (n + 100) ** (2 / 3) * phi[n] * (0.9 if error > 0 else 0.1) * error
        td.update(phi[n], cost[n], phi[n + 1])
    np.testing.assert_allclose(td.theta, theta, rtol=1e-13)


def test_newton_starts_with_the_least_squares_solution_of_its_warm_up() -> None:
    """All warm-up samples are at theta = 0, so for the mean the result is LSTD: A theta = b."""
    phi, cost = path(400, 4)
    newton = sf.Newton(4, "mean", 0.9, warmup=399)
    assert newton.update_many(phi[:-3], cost[:-2], phi[1:-2]) == "warming-up"
    newton.update(phi[-3], cost[-2], phi[-2])
    assert not newton.theta.any()
    assert newton.update(phi[-2], cost[-1], phi[-1]) == "ok"
    matrix = phi[:-1].T @ (phi[:-1] - 0.9 * phi[1:])
    np.testing.assert_allclose(newton.theta, np.linalg.solve(matrix, phi[:-1].T @ cost), rtol=1e-9)


def test_learning_converges_to_the_exact_value() -> None:
    chain = sf.Mdp([np.array([[0.5, 0.5], [0.2, 0.8]])], cost=[1.0, 3.0])
    exact = sf.evaluate(chain, None, "expectile:0.7", 0.5)
    state, cost, next_state, _ = chain.under_policy().sample(200_000)
    newton = sf.Newton(2, "expectile:0.7", 0.5)
    newton.update_many(np.eye(2)[state], cost, np.eye(2)[next_state])
    np.testing.assert_allclose(newton.theta, exact.values, atol=0.02)


@makers
def test_a_pickled_learner_continues_with_the_same_bits(make: Callable[[int], sf.Learner]) -> None:
    phi, cost = path(100, 3)
    learner = make(3)
    learner.update_many(phi[:50], cost[:50], phi[1:51])
    copies = [
        pickle.loads(pickle.dumps(learner)),
        copy.copy(learner),
        copy.deepcopy(learner),
    ]
    before = learner.theta.copy()
    for each in [*copies, learner]:
        assert type(each) is type(learner) and repr(each) == repr(learner)
        assert each.theta.tobytes() == before.tobytes()
        each.update_many(phi[50:-1], cost[50:], phi[51:])
    for each in copies:
        assert each.theta.tobytes() == learner.theta.tobytes() != before.tobytes()
        assert not np.shares_memory(each.theta, learner.theta)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_learners_pickle_in_every_protocol(protocol: int) -> None:
    td = sf.Td(3, "mean", 0.9)
    td.update([1.0, 2.0, 3.0], 1.0, [0.0, 1.0, 0.0])
    assert pickle.loads(pickle.dumps(td, protocol)).theta.tobytes() == td.theta.tobytes()


class Counting(sf.Td):
    """A user-defined subclass."""


def test_copies_of_a_subclass_have_that_class() -> None:
    assert type(copy.copy(Counting(3, "mean", 0.9))) is Counting
    assert type(pickle.loads(pickle.dumps(Counting(3, "mean", 0.9)))) is Counting


def test_a_broken_pickle_is_rejected() -> None:
    state = sf.Td(3, "mean", 0.9).__reduce_ex__(2)[2]  # type: ignore[index]
    broken = [(*state[:-1], state[-1][:-1]), state[:-1], (*state[:1], 99, *state[2:])]
    for each in broken:
        with pytest.raises(sf.InvalidInput):
            sf.Td.__new__(sf.Td).__setstate__(each)  # type: ignore[attr-defined]
    for other in (sf.Newton, sf.TdLambda):
        with pytest.raises(sf.InvalidInput, match="not the state of a learner of this class"):
            other.__new__(other).__setstate__(state)  # type: ignore[attr-defined]


def test_a_pickle_with_an_invalid_field_is_rejected_with_its_name() -> None:
    state = sf.Newton(3, "mean", 0.9).__reduce_ex__(2)[2]  # type: ignore[index]
    # The number of products is followed by six numbers and a byte.
    products = len(state[-1]) - 8 - (6 * 8 + 1)
    damaged = state[-1][:products] + b"\xff" * 8 + state[-1][products + 8 :]
    with pytest.raises(sf.InvalidInput, match="products = 18446744073709551615; accepted: 0 to 0"):
        sf.Newton.__new__(sf.Newton).__setstate__((*state[:-1], damaged))  # type: ignore[attr-defined]


def test_uninitialised_objects_are_rejected() -> None:
    for type_ in (sf.Td, sf.Newton, sf.Solution, sf.Mdp, sf.Chain, sf.Loss):
        with pytest.raises(TypeError, match="__init__ was not called"):
            repr(type_.__new__(type_))
    with pytest.raises(TypeError, match="__init__ was not called"):
        sf.solve(sf.Mdp.__new__(sf.Mdp), "mean", 0.9)


def test_theta_is_a_read_only_view_of_the_learner() -> None:
    td = sf.Td(2, "mean", 0.9)
    theta = td.theta
    assert np.shares_memory(theta, td.theta) and not theta.flags.writeable
    td.update([1.0, 0.0], 1.0, [0.0, 1.0])
    assert theta[0] > 0
    kept = td.theta
    del td
    assert kept[0] == theta[0]  # it keeps the learner alive


def test_features_may_be_any_sequence_of_numbers() -> None:
    plain, others = sf.Td(2, "mean", 0.5), sf.Td(2, "mean", 0.5)
    plain.update(np.array([1.0, 2.0]), 1.0, np.array([3.0, 4.0]))
    strided = np.array([[3.0, 0.0], [4.0, 0.0]])[:, 0]
    others.update([1, 2], 1, strided)
    assert plain.theta.tobytes() == others.theta.tobytes()
    swapped = np.array([1.0, 2.0]).astype(">f8")
    single = np.array([3.0, 4.0], np.float32)
    third = sf.Td(2, "mean", 0.5)
    third.update(swapped, np.float32(1), single)
    assert third.theta.tobytes() == plain.theta.tobytes()


def test_values_of_one_state_and_of_many() -> None:
    td = sf.Td(2, "mean", 0.5)
    td.start_from([1.0, 2.0])
    assert td.value([1.0, 1.0]) == 3.0
    np.testing.assert_array_equal(td.value(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])), [1, 2, 6])


def test_a_number_that_is_not_finite_is_an_error_and_earlier_updates_are_kept() -> None:
    """Also after the first piece of a batch."""
    phi, cost = path(500_000, 60)
    cost[400_000] = np.nan
    td = sf.Td(60, "mean", 0.5, step=1e-3)
    with pytest.raises(sf.InvalidInput, match="transition 400000: .*nan"):
        td.update_many(phi[:-1], cost, phi[1:])
    assert td.updates == 400_000


def test_divergence_is_a_status_and_stops_a_batch() -> None:
    td = sf.Td(1, "mean", 0.9, step=1e6)
    status = td.update_many(np.ones((1000, 1)), np.ones(1000), np.ones((1000, 1)))
    assert status == td.status == "diverged" and td.updates < 1000
    assert np.isfinite(td.theta).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda td: td.update([1.0], 1.0, [1.0, 2.0]), "1 feature"),
        (lambda td: td.update([1.0, np.nan], 1.0, [1.0, 2.0]), "nan"),
        (lambda td: td.update([1.0, 2.0], np.inf, [1.0, 2.0]), "inf"),
        (lambda td: td.update([[1.0, 2.0]], 1.0, [1.0, 2.0]), "2 dimensions; accepted: 1"),
        (lambda td: td.update_many(np.ones((3, 2)), np.ones(2), np.ones((3, 2))), r"\(2, 2\)"),
        (lambda td: td.update_many(np.ones((2, 3)), np.ones(2), np.ones((2, 3))), r"\(2, 2\)"),
        (
            lambda td: td.update_many(np.ones((2, 2)), np.ones(2), np.ones((2, 2)), [True]),
            "terminal has 1 entries for 2 costs",
        ),
        (lambda td: td.value(np.ones((2, 2, 2))), "accepted"),
        (lambda td: td.start_from([1.0]), "accepted"),
    ],
)
def test_invalid_transitions_are_rejected_and_change_nothing(
    call: Callable[[sf.Td], object], message: str
) -> None:
    td = sf.Td(2, "mean", 0.5)
    td.update([1.0, 0.0], 1.0, [0.0, 1.0])
    before = td.theta.copy()
    with pytest.raises(sf.InvalidInput, match=message):
        call(td)
    assert (td.theta == before).all() and td.updates == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: sf.Td(0, "mean", 0.5),
        lambda: sf.Td(2, "mean", 1.5),
        lambda: sf.Td(2, "mean", 0.5, step=-1.0),
        lambda: sf.Td(2, "mean", 0.5, step=(1.0, 2.0, 3.0)),
        lambda: sf.TdLambda(2, "mean", 0.5, lambda_=2.0),
        lambda: sf.Newton(20, "mean", 0.5, warmup=3),
    ],
)
def test_invalid_options_are_rejected(make: Callable[[], object]) -> None:
    with pytest.raises(sf.InvalidInput, match="accepted"):
        make()


class Batch(threading.Thread):
    """A batch that takes a good part of a second and records its start and end."""

    def __init__(self) -> None:
        super().__init__()
        self.phi, self.cost = path(200_000, 50)
        self.learner = sf.Newton(50, "expectile:0.9", 0.9)
        self.begin = self.end = 0.0

    def run(self) -> None:
        self.begin = time.perf_counter()
        self.learner.update_many(self.phi[:-1], self.cost, self.phi[1:])
        self.end = time.perf_counter()


def test_a_batch_runs_without_the_interpreter_lock() -> None:
    """This thread runs during a batch, which it could not if the batch held the interpreter lock."""
    had_a_turn = False
    while not had_a_turn:  # on a busy machine the first batch may end too soon
        batch = Batch()
        batch.start()
        turns = []
        while batch.is_alive():
            turns.append(time.perf_counter())
            time.sleep(0.001)
        quarter = 0.25 * (batch.end - batch.begin)
        assert batch.learner.updates == 200_000
        had_a_turn = any(batch.begin + quarter < turn < batch.end - quarter for turn in turns)


def test_two_threads_cannot_update_one_learner_at_once() -> None:
    refused = 0
    while refused == 0:  # on a busy machine the first batch may end too soon
        batch = Batch()
        batch.start()
        while batch.is_alive():
            try:
                batch.learner.update(batch.phi[0], 0.0, batch.phi[1])
            except RuntimeError as error:
                assert "another thread" in str(error)
                refused += 1


def test_weights_are_importance_ratios() -> None:
    """Actions of a uniform policy, weighted, give the value of another policy."""
    rng = np.random.default_rng(3)
    action = rng.integers(0, 2, 100_000)
    cost = np.where(action == 1, 4.0, 1.0) + rng.normal(size=action.size)
    ones = np.ones((action.size, 1))
    newton = sf.Newton(1, "mean", gamma=0.5)
    newton.update_many(ones, cost, ones, weight=np.where(action == 1, 1.5, 0.5))
    interval = newton.interval([1.0])
    assert interval.low < (0.75 * 4.0 + 0.25 * 1.0) / 0.5 < interval.high
    assert newton.effective_samples == pytest.approx(80_000, rel=0.01)
    with pytest.raises(sf.InvalidInput, match="the weight is -1; accepted"):
        newton.update([1.0], 1.0, [1.0], weight=-1.0)
    with pytest.raises(sf.InvalidInput, match="weight has 1 entries for 2 costs"):
        newton.update_many(np.ones((2, 1)), [1.0, 2.0], np.ones((2, 1)), weight=[1.0])


def test_intervals_are_told_or_refused() -> None:
    newton = sf.Newton(1, "expectile:0.9", gamma=0.5)
    assert newton.interval([1.0]).status == "not-yet"
    assert newton.interval([1.0]).high == np.inf
    assert len(newton.interval([[1.0], [2.0]])) == 2
    for refused in (
        lambda: sf.Td(1, "mean", 0.5).interval([1.0]),
        lambda: sf.Newton(1, "mean", 0.5, as_published=True).interval([1.0]),
        lambda: newton.interval([1.0], level=1.0),
        lambda: newton.interval([1.0], method="bootstrap"),
        lambda: sf.Newton(1, "mean", 0.5, forget=0.0),
    ):
        with pytest.raises(sf.InvalidInput, match="accepted"):
            refused()
