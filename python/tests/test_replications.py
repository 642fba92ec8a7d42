"""Replications of a learner, compared with a plain loop that uses NumPy's generator."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import shortfall as sf

TAU, GAMMA, ETA = 0.6, 0.5, 0.05


def expectile(x):
    return np.where(x > 0, TAU * x, (1 - TAU) * x)


def pcg64(seed, stream):
    """NumPy's PCG64, seeded like pcg_random's pcg64(seed, stream)."""
    multiplier, modulus = 0x2360ED051FC65DA44385DF649FCCF645, 1 << 128
    increment = stream << 1 | 1
    generator = np.random.PCG64()
    state = generator.state
    state["state"] = {
        "state": ((seed + increment) * multiplier + increment) % modulus,
        "inc": increment,
    }
    generator.state = state
    return generator


class Coins:
    """Each state has two successors with probability 1/2, chosen by the top bit of a random number."""

    states = 5
    successors = np.array([[x, (x + 1) % 5] for x in range(5)])
    successors.sort(axis=1)
    costs = np.arange(10.0).reshape(5, 2) - 3.0

    def __init__(self):
        rows = [(x, y, c) for x in range(5) for y, c in zip(self.successors[x], self.costs[x])]
        state, next_state, cost = zip(*rows)
        model = sf.Mdp.from_outcomes(state, [0] * 10, next_state, [0.5] * 10, cost=cost)
        self.chain = model.under_policy()
        self.phi = np.random.default_rng(2).normal(size=(5, 2))

    def path_of_theta(self, seed, replication, updates):
        bits, x, theta = pcg64(seed, replication), 0, np.zeros(2)
        for _ in range(updates):
            which = int(bits.random_raw()) >> 63
            y = self.successors[x, which]
            delta = self.costs[x, which] + GAMMA * self.phi[y] @ theta - self.phi[x] @ theta
            theta = theta + ETA * self.phi[x] * float(expectile(delta))
            x = y
        return theta


@pytest.fixture(scope="module")
def coins():
    return Coins()


def td(dimension=2, **options):
    return sf.Td(dimension, sf.expectile(TAU), GAMMA, **{"step": (2, 100, 2 / 3)} | options)


def test_replications_agree_with_a_plain_loop(coins):
    goal = np.arange(5.0)
    q = np.array([0.1, 0.2, 0.3, 0.4, 0.0])
    found = sf.replicate(td(step=ETA), coins.chain, coins.phi, q=q, fixed_point=goal,
                         replications=4, seed=7, record_at=[0, 10, 300])
    assert found.iterations.tolist() == [0, 10, 300]
    for k, n in enumerate((0, 10, 300)):
        thetas = np.array([coins.path_of_theta(7, r, n) for r in range(4)])
        distances = [math.sqrt(np.sum(q * (coins.phi @ theta - goal) ** 2)) for theta in thetas]
        curve = found.to_fixed_point
        assert curve.mean[k] == pytest.approx(np.mean(distances), rel=1e-12)
        assert curve.median[k] == pytest.approx(np.median(distances), rel=1e-12)
        error = np.std(distances, ddof=1) / 2
        assert curve.standard_error[k] == pytest.approx(error, rel=1e-9, abs=1e-14)
        assert found.first_component.mean[k] == pytest.approx(thetas[:, 0].mean(), abs=1e-12)
    assert found.theta == pytest.approx(thetas, abs=1e-12)
    assert found.theta.shape == (4, 2)
    assert found.to_projected_value is None
    assert found.diverged.tolist() == [0, 0, 0] and found.singular.tolist() == [0, 0, 0]
    assert repr(found).startswith("Replications(4 of 300 updates, 0 diverged, ")
    assert len(found.to_fixed_point) == 3


@pytest.mark.parametrize("learner", [td(), sf.Newton(2, "expectile:0.6", GAMMA, warmup=50),
                                     sf.TdLambda(2, "expectile:0.6", GAMMA, lambda_=0.3)])
def test_the_number_of_threads_does_not_change_a_bit(coins, learner):
    def run(threads):
        found = sf.replicate(learner, coins.chain, coins.phi, fixed_point=np.ones(5),
                             projected_value=np.zeros(5), replications=7, seed=3,
                             record_at=[100, 5000], threads=threads)
        return [found.theta, found.to_fixed_point.mean, found.to_projected_value.mean]

    for one, more in zip(run(1), run(2)):
        assert one.tobytes() == more.tobytes()


def test_replications_start_from_the_learner_and_do_not_change_it(coins):
    learner = td(step=ETA)
    learner.start_from([3.0, -2.0])
    found = sf.replicate(learner, coins.chain, coins.phi, replications=2, record_at=[0, 100])
    assert learner.updates == 0 and learner.theta.tolist() == [3.0, -2.0]
    assert found.first_component.mean[0] == 3.0
    assert found.first_component.mean[1] != 3.0


def test_learning_comes_close_to_the_fixed_point(coins):
    q = sf.theory.stationary_law(coins.chain).probability
    field = sf.theory.MeanField(coins.chain, sf.expectile(TAU), GAMMA, coins.phi, q)
    theta = sf.theory.projected_fixed_point(field).theta
    goal = coins.phi @ theta
    options = dict(fixed_point=goal, replications=40, record_at=[10, 1000, 100_000])
    found = sf.replicate(td(), coins.chain, coins.phi, **options)
    assert np.all(np.diff(found.to_fixed_point.mean) < 0)
    # Noise is of the order of the square root of the step, bias of the order of the step: noise dominates.
    error = found.theta.std(axis=0, ddof=1) / math.sqrt(40)
    assert np.all(np.abs(found.theta.mean(axis=0) - theta) < 4 * error)
    assert np.all(error < 0.01 * np.abs(theta).max())
    given = sf.replicate(td(), coins.chain, coins.phi, q=q, **options)
    assert given.to_fixed_point.mean.tobytes() == found.to_fixed_point.mean.tobytes()


def test_a_start_may_be_drawn(coins):
    surely = np.eye(5)[2]
    options = dict(replications=300, seed=5, record_at=[1])
    at = sf.replicate(td(step=ETA), coins.chain, coins.phi, start=2, **options)
    # From zero, one update moves theta along the features of the starting state.
    drawn = sf.replicate(td(step=ETA), coins.chain, coins.phi, start=surely, **options)
    for found in (at, drawn):
        cross = found.theta[:, 0] * coins.phi[2, 1] - found.theta[:, 1] * coins.phi[2, 0]
        assert np.abs(cross).max() < 1e-15 and np.all(found.theta != 0)
    law = [0.0, 0.0, 0.5, 0.0, 0.5]  # states without a cost of 0, which would move nothing
    mixed = sf.replicate(td(step=ETA), coins.chain, coins.phi, start=law, **options).theta
    hits = [int(np.sum(np.abs(mixed @ [coins.phi[x, 1], -coins.phi[x, 0]]) < 1e-15))
            for x in (2, 4)]
    assert sum(hits) == 300
    assert abs(hits[0] - 150) < 4 * math.sqrt(300) / 2


def test_a_chain_that_ends_restarts_and_needs_weights():
    chain = sf.library.boyan_chain().under_policy()
    phi = sf.library.boyan_features()
    value = 2.0 * (13 - np.arange(14.0))
    learner = sf.Td(4, "mean", 1.0)
    with pytest.raises(sf.InvalidInput, match="q is missing, .*13 is terminal.*accepted: a weight"):
        sf.replicate(learner, chain, phi, fixed_point=value, record_at=[10])
    q = np.append(np.full(13, 1 / 13), 0.0)
    found = sf.replicate(learner, chain, phi, q=q, fixed_point=value, record_at=[10, 100_000],
                         replications=5)
    assert found.to_fixed_point.mean[1] < 0.1 * found.to_fixed_point.mean[0]
    unmeasured = sf.replicate(learner, chain, phi, record_at=[10], replications=2)
    assert unmeasured.to_fixed_point is None and unmeasured.to_projected_value is None
    with pytest.raises(sf.InvalidInput, match="the chain starts in a terminal state"):
        sf.replicate(learner, chain, phi, record_at=[10], start=13)


def test_divergence_is_counted_and_makes_distances_infinite(coins):
    found = sf.replicate(td(step=1e3), coins.chain, coins.phi, fixed_point=np.zeros(5),
                         replications=3, record_at=[0, 100_000])
    assert found.diverged.tolist() == [0, 3]
    assert found.to_fixed_point.mean.tolist() == [0.0, math.inf]
    assert math.isnan(found.first_component.mean[1])
    assert np.all(np.isfinite(found.theta))


def test_a_loss_may_be_a_python_function(coins):
    options = dict(replications=4, seed=7, record_at=[200], threads=2)
    own = sf.replicate(sf.Td(2, expectile, GAMMA, step=ETA), coins.chain, coins.phi, **options)
    built_in = sf.replicate(td(step=ETA), coins.chain, coins.phi, **options)
    assert own.theta == pytest.approx(built_in.theta, abs=1e-12)


def test_an_error_in_a_python_loss_stops_all_replications(coins):
    calls = []

    def loss(x):
        calls.append(x)
        if len(calls) > 500:
            raise ZeroDivisionError("enough")
        return x

    with pytest.raises(ZeroDivisionError, match="enough"):
        sf.replicate(sf.Td(2, loss, GAMMA), coins.chain, coins.phi, threads=2)
    assert len(calls) < 600


def test_control_c_stops_replications_at_once(coins):
    def interrupt():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=interrupt).start()
        sf.replicate(td(), coins.chain, coins.phi, replications=2, record_at=[10**12])


def test_arrays_are_views_that_outlive_their_owner(coins):
    found = sf.replicate(td(), coins.chain, coins.phi, fixed_point=np.ones(5), replications=2,
                         record_at=[1, 2])
    mean = found.to_fixed_point.mean
    expected = mean.copy()
    theta, expected_theta = found.theta, found.theta.copy()
    del found
    _ = [np.ones(2) for _ in range(1000)]
    assert np.array_equal(mean, expected) and np.array_equal(theta, expected_theta)
    for array in (mean, theta):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"phi": np.ones((4, 2))}, "phi has 4 rows; accepted: one for each of 5 states"),
        ({"phi": np.ones((5, 3))}, "the learner has 2 weights; accepted: 3"),
        ({"phi": np.ones(5)}, "phi has 1 dimensions; accepted: 2"),
        ({"q": np.ones(4)}, "q has 4 entries; accepted: one for each of 5 states"),
        ({"q": -np.ones(5)}, "the law q has entry -1; accepted: a number >= 0"),
        ({"fixed_point": []}, "fixed_point has 0 entries; accepted: one for each of 5 states"),
        ({"start": 5}, "start in state 5; accepted: 0 to 4"),
        ({"start": -1}, "start in state -1; accepted: 0 to 4"),
        ({"start": [0.5, 0.5]}, "start has 2 probabilities; accepted: one for each of 5 states"),
        ({"start": [0.5, 0.0, 0.0, 0.0, 0.0]}, "accepted"),
        ({"record_at": [3, 3]}, "iteration 3 is recorded after 3; accepted: increasing ones"),
        ({"record_at": [-1, 3]}, "iteration -1; accepted: 0 or more"),
        ({"record_at": []}, "no iterations to record; accepted: one or more"),
        ({"replications": 0}, "0 replications; accepted: one or more"),
    ],
)
def test_invalid_arguments_are_rejected(coins, changes, message):
    arguments = {"phi": coins.phi, "record_at": [1], **changes}
    with pytest.raises(sf.InvalidInput, match=message):
        sf.replicate(td(), coins.chain, **arguments)


def test_anything_but_a_learner_is_a_type_error(coins):
    with pytest.raises(TypeError):
        sf.replicate("td", coins.chain, coins.phi)
