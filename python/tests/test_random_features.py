"""Random features, computed a second time from their definition; and of stocks."""

from __future__ import annotations

import math
import pickle
from typing import Any, Callable

import numpy as np
import pytest

from inventory_for_tests import small
import shortfall as sf
from shortfall import InvalidInput, inventory
from shortfall.features import RandomFourier, RandomRelu

M64 = (1 << 64) - 1
M128 = (1 << 128) - 1


def mixed(bits: int) -> int:
    """SplitMix64."""
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & M64
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & M64
    return bits ^ (bits >> 31)


def uniforms(seed: int, stream: int) -> Callable[[], float]:
    """NumPy's PCG64, with the state that the library's seed gives."""
    increment = (stream << 1) | 1
    start = mixed((mixed(seed) + (stream + 1) * 0x9E3779B97F4A7C15) & M64)
    state = ((increment + start) * 0x2360ED051FC65DA44385DF649FCCF645 + increment) & M128
    generator = np.random.PCG64()
    generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return lambda: float((int(generator.random_raw()) >> 11) * 2.0**-53)


def normal(uniform: Callable[[], float]) -> float:
    """Box and Muller, rounded to single precision."""
    radius = math.sqrt(-2.0 * math.log1p(-uniform()))
    return float(np.float32(radius * math.cos(2.0 * math.pi * uniform())))


@pytest.mark.parametrize("seed", [0, 1, 2**63 + 5])
def test_hinges_are_those_of_the_definition(seed: int) -> None:
    shift, scale, x = [1.0, -2.0, 0.5], [2.0, 0.25, 3.0], [4.0, -2.5, 1.0]
    relu = RandomRelu(40, shift=shift, scale=scale, linear=True, seed=seed)
    uniform = uniforms(seed, stream=0)
    scaled = [(a - b) / c for a, b, c in zip(x, shift, scale)]
    expected = [1.0, *scaled]
    for _ in range(40):
        w = [normal(uniform) for _ in range(3)]
        total = normal(uniform)
        for weight, entry in zip(w, scaled):
            total += weight * entry
        expected.append(max(0.0, total))
    assert relu(x).tolist() == expected  # to the bit
    assert relu.dimension == 44 and relu.coordinates == 3
    assert relu.names[:5] == ["1", "x1", "x2", "x3", "relu1"]


def test_waves_are_those_of_the_definition() -> None:
    shift, scale, x = [1.0, -2.0], [2.0, 0.25], [4.0, -2.5]
    fourier = RandomFourier(30, shift=shift, scale=scale, length=0.8, seed=7)
    uniform = uniforms(7, stream=1)
    expected = [1.0]
    for _ in range(30):
        w = [normal(uniform) / 0.8 for _ in range(2)]
        angle = 2.0 * math.pi * uniform()
        angle += w[0] * 1.5 + w[1] * -2.0
        expected.append(math.sqrt(2.0 / 30.0) * math.cos(angle))
    # Arguments up to 2π + 4 · 3.5 / 0.8 are off by some last places.
    np.testing.assert_allclose(fourier(x), expected, rtol=0.0, atol=1e-14)
    assert fourier.length == 0.8
    assert RandomFourier(shift=[0.0] * 9, scale=[1.0] * 9).length == 3.0


@pytest.mark.parametrize(
    "make", [RandomRelu, RandomFourier, lambda *a, **k: RandomFourier(*a, length=2.5, **k)]
)
def test_rows_copies_and_arguments(make: Any) -> None:
    points = np.random.default_rng(1).normal(size=(7, 2))
    for options in ({}, {"intercept": False}, {"linear": True, "seed": 3}):
        phi = make(5, shift=[0.0, 1.0], scale=[1.0, 2.0], **options)
        rows = phi(points)
        assert rows.shape == (7, phi.dimension) == (7, len(phi.names))
        np.testing.assert_array_equal(rows, [phi(point) for point in points])
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(phi))(points), rows)
    assert phi(np.zeros((0, 2))).shape == (0, phi.dimension)
    for bad in (np.zeros(3), np.zeros((2, 3)), np.zeros((1, 1, 2)), 1.0):
        with pytest.raises(InvalidInput, match=r"accepted: \(2,\) or \(n, 2\)"):
            phi(bad)
    with pytest.raises(InvalidInput, match="count = 0; accepted: 1 or more"):
        make(0, shift=[0.0], scale=[1.0])
    with pytest.raises(InvalidInput, match="scale of feature 2"):
        make(5, shift=[0.0, 0.0], scale=[1.0, -1.0])
    with pytest.raises(InvalidInput, match="is nan; accepted: a finite"):
        phi([math.nan, 0.0])


def test_a_linear_learner_on_hinges_finds_a_kinked_value() -> None:
    """Independent states, costs without noise: the best fit of a line has more than twice the
    error of ten hinges."""
    rng = np.random.default_rng(2)
    x, test = rng.uniform(-1.0, 1.0, (20000, 2)), rng.uniform(-1.0, 1.0, (500, 2))

    def kinked(points: Any) -> Any:
        return np.maximum(np.abs(points[:, 0]), np.abs(points[:, 1] - 0.3))

    def error(features: Any) -> float:
        newton = sf.Newton(features(x).shape[1], "mean", gamma=0.0)
        assert newton.update_many(features(x), kinked(x), features(x)) == "ok"
        return float(np.sqrt(((newton.value(features(test)) - kinked(test)) ** 2).mean()))

    hinges = RandomRelu(10, shift=[0.0, 0.0], scale=[0.5, 0.5])
    assert error(hinges) < 0.5 * error(lambda points: np.insert(points, 0, 1.0, axis=1))


def test_features_of_stocks() -> None:
    stock = small()
    units = stock.stocks.astype(float)
    relu = inventory.stock_features(stock, features="relu:6,2")
    typical = [5.0 / 3.0, 5.0 / 3.0]
    direct = RandomRelu(6, shift=typical, scale=typical, intercept=False, seed=2)
    np.testing.assert_array_equal(relu[:, 4:], direct(units))
    guess = inventory.non_perishable(stock).value[0]
    polynomial = inventory.stock_features(stock)
    np.testing.assert_array_equal(polynomial[:, 0], 1.0)
    np.testing.assert_array_equal(polynomial[:, 1], guess[units.sum(axis=1).astype(int)])
    np.testing.assert_array_equal(polynomial[:, 2:4], units)
    np.testing.assert_array_equal(polynomial[:, 5], units[:, 0] * units[:, 1])
    np.testing.assert_array_equal(relu[:, :4], polynomial[:, :4])
    some = inventory.stock_features(stock, features="fourier:3", states=[4, 0, 4])
    np.testing.assert_array_equal(
        some, inventory.stock_features(stock, features="fourier:3")[[4, 0, 4]]
    )
    with pytest.raises(InvalidInput, match=f"state {stock.states}; accepted: 0 to"):
        inventory.stock_features(stock, states=[stock.states])
    for bad in ("relu", "relu:0", "hat:3"):
        with pytest.raises(InvalidInput, match="accepted: polynomial, relu:D or fourier:D"):
            inventory.stock_features(stock, features=bad)
        with pytest.raises(InvalidInput, match="features = "):
            inventory.train(stock, features=bad)


def test_training_and_estimates_use_the_features() -> None:
    stock = small()
    orders = inventory.static_orders(stock)
    exact = inventory.evaluate(stock, orders).values[0]
    few: dict[str, Any] = {"samples": 40000, "trajectories": 4}
    learned = inventory.estimate(stock, orders, features="relu:8", **few)
    assert len(learned.theta) == 12
    assert learned.value_at_empty == pytest.approx(exact, rel=0.05)
    phi = inventory.stock_features(stock, features="relu:8")
    assert phi[0] @ learned.theta == pytest.approx(learned.value_at_empty, abs=1e-9)
    training = inventory.train(stock, iterations=1, features="relu:8", **few)
    with pytest.raises(InvalidInput, match="features = relu:8,2, but the training to resume had"):
        inventory.train(stock, iterations=2, features="relu:8,2", resume=training, **few)


def test_averagers_learn_with_hats_and_nothing_else() -> None:
    stock = small()
    orders = inventory.static_orders(stock)
    few: dict[str, Any] = {"samples": 4000, "trajectories": 4, "algorithm": "averager-td"}
    learned = inventory.estimate(stock, orders, **few)
    named = inventory.estimate(stock, orders, features="hats", **few)
    np.testing.assert_array_equal(named.theta, learned.theta)
    hats = inventory.stock_features(stock, features="hats")
    assert hats.min() >= 0.0
    np.testing.assert_allclose(hats.sum(axis=1), 1.0, rtol=0.0, atol=1e-14)
    assert hats[0] @ learned.theta == pytest.approx(learned.value_at_empty, abs=1e-9)
    with pytest.raises(InvalidInput, match="features relu:8 with algorithm averager-td; accepted: "):
        inventory.train(stock, features="relu:8", **few)
    with pytest.raises(InvalidInput, match="features hats with algorithm newton; accepted: "):
        inventory.estimate(stock, orders, features="hats")


def test_a_path_and_greedy_orders() -> None:
    stock = small()
    best = inventory.solve(stock)
    state, cost, next_state = inventory.sample_path(stock, best.policy, periods=50000, seed=3)
    assert state.dtype == next_state.dtype == np.uint32 and len(cost) == 50000
    assert (next_state[:-1] == state[1:]).all()
    # The mean of a period's cost is that of the simulation, within five standard errors of both.
    simulated = inventory.simulate(stock, best.policy, periods=400, replications=500)
    error = cost.std() / math.sqrt(len(cost)) * 3.0  # periods depend on each other
    assert cost.mean() == pytest.approx(simulated.cost_per_period, abs=5.0 * error)
    restarted = inventory.sample_path(stock, best.policy, periods=1000, restart=0.5)
    assert (restarted[2][:-1] != restarted[0][1:]).any()
    np.testing.assert_array_equal(inventory.greedy_orders(stock, best.values), best.policy)
    with pytest.raises(InvalidInput, match="accepted: one per state"):
        inventory.greedy_orders(stock, best.values[:-1])
    with pytest.raises(InvalidInput, match="restart probability = 1"):
        inventory.sample_path(stock, best.policy, restart=1.0)
