"""The inventory as an environment: Gymnasium's interface, and the library's laws."""

from __future__ import annotations

import inspect
from collections import Counter, defaultdict
from typing import Any, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory_for_tests import inventories, small
from shortfall import InvalidInput, inventory
from shortfall.gym import InventoryEnv
from shortfall.inventory import Inventory

PARTS = ("order_cost", "unit_cost", "holding_cost", "shortage_cost", "wastage_cost")


def week() -> Inventory:
    orders = [4, 4, 4, 4, 3, 2, 0]
    return small(capacity=4, max_order=orders, arrival=([0.5, 1.0], [-0.1, -0.2]))


def same(a: Any, b: Any) -> bool:
    """Steps, whose parts may be arrays and dicts of arrays."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b)


def play(env: InventoryEnv, seed: int | None, steps: int) -> list[Any]:
    """An episode of random orders, which the seed of the space alone decides."""
    env.action_space.seed(5)
    return [env.reset(seed=seed)] + [env.step(env.action_space.sample()) for _ in range(steps)]


@given(inventories(), st.sampled_from(["stock", "state"]), st.integers(0, 2**64 - 1))
def test_any_inventory_passes_the_checks_that_gymnasium_makes(
    stock: Inventory, observation: str, seed: int
) -> None:
    env = InventoryEnv(stock, periods=9, observation=observation)  # type: ignore[arg-type]
    space = env.observation_space
    assert env.unwrapped is env and env.spec is None and env.render_mode is None
    assert env.metadata["render_modes"] == ["ansi"] and env.metadata["render_fps"] > 0
    parameters = inspect.signature(env.reset).parameters
    assert parameters["seed"].default is None and parameters["options"].default is None
    assert env.action_space.n > 0 and env.action_space.shape == ()
    assert space.shape == (
        () if observation == "state" else (stock.shelf_life - 1 + (stock.days > 1),)
    )
    first, info = env.reset(seed=seed, options={})
    assert first in space and space.sample() in space and isinstance(info, dict)
    for period in range(1, 10):
        shown, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert shown in space
        assert type(shown) is int or shown.dtype == space.dtype
        assert type(reward) is float and np.isfinite(reward)
        assert terminated is False and truncated is (period == 9)
        assert isinstance(info, dict)
        assert env.action_space.sample(info["action_mask"]) <= info["action_mask"].sum() - 1
    env.close()
    env.close()


@given(inventories(), st.integers(0, 2**64 - 1))
def test_a_seed_decides_the_episode_and_costs_have_their_parts(stock: Inventory, seed: int) -> None:
    env = InventoryEnv(stock)
    steps = play(env, seed, 20)
    assert same(tuple(steps), tuple(play(InventoryEnv(stock), seed, 20)))
    for shown, reward, _, _, info in steps[1:]:
        assert reward == -info["cost"]
        assert info["cost"] == pytest.approx(sum(info[part] for part in PARTS), rel=1e-14)
        units = shown[: stock.shelf_life - 1]
        assert info["state"] == stock.index(units, info["day"])
        assert units.sum() == info["left"] - info["expired"]
    if len(stock.demand[0]) > 2 and stock.days == 1:  # demand is random
        others = [play(InventoryEnv(stock), seed ^ bit, 40) for bit in (1, 2, 4)]
        assert not all(same(tuple(play(env, seed, 40)), tuple(other)) for other in others)


def test_episodes_are_the_replications_of_the_simulation() -> None:
    for stock in (small(), week()):
        orders = inventory.base_stock_orders(stock, level=3)
        env = InventoryEnv(stock, periods=50)
        found = []
        for seed in (8, None, None):
            _, info = env.reset(seed=seed)
            cost, discount, truncated = 0.0, 1.0, False
            while not truncated:
                _, _, _, truncated, info = env.step(orders[info["state"]])
                cost, discount = cost + discount * info["cost"], discount * stock.gamma
            found.append(cost)
        simulated = inventory.simulate(stock, orders, periods=50, replications=3, seed=8)
        assert found == list(simulated.discounted_cost)


def test_without_a_seed_episodes_differ_and_begin_with_seed_one() -> None:
    first, second = InventoryEnv(small()), InventoryEnv(small())
    episode = play(first, None, 30)
    assert same(tuple(episode), tuple(play(second, 1, 30)))
    assert not same(tuple(episode), tuple(play(first, None, 30)))


Outcome = Tuple[int, float]  # the next state and the cost


def laws(stock: Inventory) -> dict[tuple[int, int], Counter[Outcome]]:
    """The probabilities of outcomes by state and order, listed one by one."""
    model = inventory.explicit_mdp(stock)
    pairs = [(x, int(z)) for x in range(stock.states) for z in model.actions(x)]
    found: dict[tuple[int, int], Counter[Outcome]] = {pair: Counter() for pair in pairs}
    outcomes = model.outcomes
    for row, pair in enumerate(pairs):
        for k in range(int(outcomes.row_begin[row]), int(outcomes.row_begin[row + 1])):
            outcome = (int(outcomes.next[k]), float(outcomes.cost[k]))
            found[pair][outcome] += outcomes.probability[k]
    return found


def test_next_states_and_costs_have_the_law_of_the_model() -> None:
    """The sum of Pearson's statistics of all states and orders; outcomes that are expected less than
    five times are counted together. Under the model's law, an outcome of probability p adds 1 - p on
    average, and the sum is nearly normal with twice that as its variance: five standard deviations are
    exceeded with a probability below 1e-5, and the seed is fixed.
    """
    stock = small(capacity=4, shares=[0.2, 0.3, 0.5])
    env = InventoryEnv(stock, periods=None, observation="state", too_large="refuse")
    seen: dict[tuple[int, int], Counter[Outcome]] = defaultdict(Counter)
    state, info = env.reset(seed=3)
    env.action_space.seed(4)
    for _ in range(30_000):
        order = int(env.action_space.sample(info["action_mask"]))
        after, _, _, _, info = env.step(order)
        seen[state, order][after, info["cost"]] += 1
        state = after
    statistic, mean = 0.0, 0.0
    exact = laws(stock)
    assert seen.keys() == exact.keys()  # every order in every state
    for pair, counts in seen.items():
        law, total = exact[pair], sum(counts.values())
        assert counts.keys() <= law.keys()
        often = [outcome for outcome, p in law.items() if p * total >= 5]
        cells = [(law[each], counts[each]) for each in often]
        cells.append(
            (1 - sum(law[each] for each in often), total - sum(counts[each] for each in often))
        )
        for p, count in cells:
            if p * total >= 5:
                statistic += (count - p * total) ** 2 / (p * total)
                mean += 1 - p
    assert mean > 300
    assert abs(statistic - mean) <= 5 * np.sqrt(2 * mean)


def test_the_mean_discounted_cost_agrees_with_exact_evaluation() -> None:
    """Costs of a period are in [0, c], so that those of an episode are in [0, c / (1 - gamma)], and
    the mean of n of them is within t of its expectation except with probability
    2 exp(-2 n t² (1 - gamma)² / c²), here 1e-6 (Hoeffding). Periods that are cut off add less than
    gamma**periods c / (1 - gamma).
    """
    stock = small(loss="mean", gamma=0.5)
    orders = inventory.base_stock_orders(stock, level=3)
    exact = inventory.evaluate(stock, orders).values[0]
    most = 2.0 + 10.0 * 6 + 5.0 * 5  # an order, six units lost; or five units left that expire
    episodes, periods = 4000, 30
    tolerance = most / (1 - stock.gamma) * np.sqrt(np.log(2e6) / (2 * episodes))
    env = InventoryEnv(stock, periods=periods, observation="state")
    costs = np.zeros(episodes)
    for n in range(episodes):
        state, _ = env.reset(seed=21 if n == 0 else None)
        for t in range(periods):
            state, reward, _, _, _ = env.step(orders[state])
            costs[n] -= stock.gamma**t * reward
    assert abs(costs.mean() - exact) <= tolerance + stock.gamma**periods * most / (
        1 - stock.gamma
    )
    # And a smaller one: four standard errors, which one seed in 16000 exceeds.
    assert abs(costs.mean() - exact) <= 4 * costs.std() / np.sqrt(episodes)


def test_episodes_start_where_they_are_told_to() -> None:
    env = InventoryEnv(week())
    shown, info = env.reset(seed=1, options={"stock": [1, 2], "day": 4})
    assert shown.tolist() == [1, 2, 4]
    assert info["state"] == week().index([1, 2], 4) and info["day"] == 4
    assert info["action_mask"].tolist() == [
        1,
        1,
        0,
        0,
        0,
    ]  # room for one, though three may be ordered
    shown, _, _, _, info = env.step(1)
    assert shown[-1] == 5 and info["day"] == 5


def test_whole_numbers_of_any_type_are_seeds_and_starts() -> None:
    def first_step(seed: Any, stock: Any, day: Any) -> Any:
        env = InventoryEnv(week())
        env.reset(seed=seed, options={"stock": stock, "day": day})
        return env.step(1)

    plain = first_step(3, [1, 2], 4)
    assert same(plain, first_step(np.array(3), np.array([1, 2], dtype=np.uint8), np.int8(4)))
    assert same(plain, first_step(np.uint64(3), (np.int64(1), 2), np.array(4)))


def test_orders_that_do_not_fit_are_cut_or_refused() -> None:
    start = {"stock": [1, 2], "day": 4}
    env = InventoryEnv(week())
    env.reset(seed=1, options=start)
    assert env.step(4)[4]["order"] == 1
    strict = InventoryEnv(week(), too_large="refuse")
    strict.reset(seed=1, options=start)
    with pytest.raises(
        InvalidInput, match="order 4 in state .*, with 3 units in stock on day 4; accepted: 0 to 1"
    ):
        strict.step(4)
    assert strict.step(1)[4]["order"] == 1  # the episode goes on


@pytest.mark.parametrize("action", [-1, 6, 1.0, "1", None, True, np.array([1]), np.float64(2)])
def test_actions_outside_the_space_are_refused(action: Any) -> None:
    env = InventoryEnv(small())
    env.reset(seed=1)
    with pytest.raises(
        InvalidInput, match="accepted: the number of units to order, a whole number from 0 to 5"
    ):
        env.step(action)


@pytest.mark.parametrize("action", [2, np.int64(2), np.uint8(2), np.array(2)])
def test_whole_numbers_of_any_type_are_orders(action: Any) -> None:
    env = InventoryEnv(small())
    env.reset(seed=1)
    assert env.step(action)[4]["order"] == 2


def test_calls_out_of_turn_are_refused() -> None:
    env = InventoryEnv(small(), periods=2, render_mode="ansi")
    with pytest.raises(InvalidInput, match="step without a start; accepted: reset"):
        env.step(0)
    with pytest.raises(InvalidInput, match="render without a start"):
        env.render()
    env.reset(seed=1)
    env.step(0)
    assert env.step(0)[3] is True
    with pytest.raises(InvalidInput, match="over after 2 periods; accepted: reset"):
        env.step(0)
    env.reset()
    env.step(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda env: env.reset(seed=-1), "seed = -1; accepted: whole numbers from 0"),
        (lambda env: env.reset(seed=1.5), "seed = 1.5; accepted"),
        (lambda env: env.reset(seed=np.array([3])), r"seed = array\(\[3\]\); accepted"),
        (lambda env: env.reset(seed=2**64), "seed = 18446744073709551616; accepted"),
        (
            lambda env: env.reset(seed=1, options=[1]),
            r"options = \[1\]; accepted: a dict with 'stock' and 'day'",
        ),
        (
            lambda env: env.reset(seed=1, options={"stock": [1.5, 0]}),
            r"stock = \[1.5, 0\]; accepted: 2 whole numbers, the units with 1, 2, .. periods left",
        ),
        (lambda env: env.reset(options={"stock": [1]}), r"stock = \[1\]; accepted: 2 whole"),
        (lambda env: env.reset(options={"stock": 1}), "stock = 1; accepted: 2 whole"),
        (lambda env: env.reset(options={"stock": [2**63, 0]}), "accepted: 2 whole"),
        (lambda env: env.reset(options={"stock": [-1, 0]}), "a stock of -1 units of one age"),
        (lambda env: env.reset(seed=1, options={"day": 0.5}), "day = 0.5; accepted: 0"),
        (lambda env: env.reset(options={"day": True}), "day = True; accepted: 0"),
        (
            lambda env: env.reset(options={"stok": [0]}),
            "options have 'stok'; accepted: 'stock' and 'day'",
        ),
        (lambda env: env.reset(options={"stock": [9, 0]}), "a stock of 9 units of one age"),
        (lambda env: env.reset(options={"day": 7}), "day = 7; accepted: 0"),
        (
            lambda env: InventoryEnv(small(), periods=0),
            "periods = 0; accepted: whole numbers from 1",
        ),
        (
            lambda env: InventoryEnv(small(), observation="x"),
            "observation = 'x'; accepted: 'stock', 'state'",
        ),
        (
            lambda env: InventoryEnv(small(), too_large="x"),
            "too_large = 'x'; accepted: 'cut', 'refuse'",
        ),
        (
            lambda env: InventoryEnv(small(), render_mode="human"),
            "render_mode = 'human'; accepted: None, 'ansi'",
        ),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    env, untouched = InventoryEnv(small()), InventoryEnv(small())
    for each in (env, untouched):
        each.reset(seed=6)
        each.step(3)
    with pytest.raises(InvalidInput, match=message):
        call(env)
    assert same(env.step(2), untouched.step(2))
    env.reset()  # the next replication
    untouched.reset()
    for _ in range(10):  # their demands agree by chance with a probability below 1e-5
        assert same(env.step(1), untouched.step(1))


def test_rendering_says_what_happened() -> None:
    with InventoryEnv(week(), render_mode="ansi") as env:
        env.reset(seed=2)
        assert env.render() == "period 0, day 0: stock [0, 0]"
        shown, _, _, _, info = env.step(4)
        assert env.render() == (
            f"period 1, day 1: stock {shown[:2].tolist()} after order 4, demand {info['demand']}, "
            f"lost {info['lost']}, expired {info['expired']}, cost {info['cost']:g}"
        )
    assert InventoryEnv(week()).render() is None
