"""Copies of an environment and of its inventory, by deepcopy and pickle, go on with the same bits."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory_for_tests import EXAMPLES, inventories, small
from shortfall import InvalidInput, inventory
from shortfall.gym import Box, Discrete, InventoryEnv
from shortfall.inventory import Inventory

Copying = Callable[[Any], Any]


def pickling(protocol: int) -> Copying:
    return lambda thing: pickle.loads(pickle.dumps(thing, protocol))


WAYS: list[Copying] = [copy.deepcopy, *map(pickling, range(pickle.HIGHEST_PROTOCOL + 1))]


def go_on(env: InventoryEnv, steps: int) -> list[Any]:
    """Steps with orders that the action space draws, and then the start of the next episode."""
    found: list[Any] = []
    for _ in range(steps):
        shown, reward, _, truncated, info = env.step(env.action_space.sample())
        found.append((np.asarray(shown).tolist(), reward, truncated, info.pop("action_mask").tolist()))
        found.append(info)
    found.append(env.observation_space.sample().tolist())
    shown, info = env.reset()
    found.append((np.asarray(shown).tolist(), info["state"], env.step(0)[4]["demand"]))
    return found


@given(inventories(), st.sampled_from(WAYS), st.integers(0, 2**64 - 1), st.integers(0, 12))
def test_a_copy_goes_on_as_the_original(
    stock: Inventory, way: Copying, seed: int, steps: int
) -> None:
    env = InventoryEnv(stock, periods=50, observation="stock", render_mode="ansi")
    env.reset(seed=seed)
    env.reset()  # replication 1
    for _ in range(steps):
        env.step(env.action_space.sample())
    twin = way(env)
    assert twin.render() == env.render() and repr(twin) == repr(env)
    assert go_on(twin, 20) == go_on(env, 20)


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_is_independent(way: Copying) -> None:
    env, untouched = InventoryEnv(small()), InventoryEnv(small())
    for each in (env, untouched):
        each.reset(seed=4)
        each.step(2)
    go_on(way(env), 10)
    assert go_on(env, 10) == go_on(untouched, 10)


def test_a_copy_before_the_first_reset_starts_as_the_original() -> None:
    env = InventoryEnv(small(), observation="state", too_large="refuse", periods=None)
    twin = copy.deepcopy(env)
    assert twin.reset()[0] == env.reset()[0]
    assert [twin.step(0)[1] for _ in range(9)] == [env.step(0)[1] for _ in range(9)]


@given(inventories(), st.sampled_from(WAYS))
def test_an_inventory_keeps_all_its_bits(stock: Inventory, way: Copying) -> None:
    twin = way(stock)
    assert repr(twin) == repr(stock) and twin.loss == stock.loss and twin.cost == stock.cost
    assert twin.max_order == stock.max_order
    for day in range(stock.days):
        assert twin.demand[day].tobytes() == stock.demand[day].tobytes()
        for order in range(1, stock.capacity + 1):
            assert twin.arrival(order, day).tobytes() == stock.arrival(order, day).tobytes()
    again, found = inventory.solve(twin, threads=1), inventory.solve(stock, threads=1)
    assert again.values.tobytes() == found.values.tobytes()


def test_demand_whose_sum_is_not_quite_one_is_not_rescaled_again() -> None:
    """The rescaled law sums to 1 - 2**-53, so that a constructor changes it."""
    seen = 0
    for seed in range(200):
        law = np.random.default_rng(seed).random(5)
        stock = small(demand=law / law.sum())
        again = small(demand=stock.demand[0])
        seen += again.demand[0].tobytes() != stock.demand[0].tobytes()
        assert copy.deepcopy(stock).demand[0].tobytes() == stock.demand[0].tobytes()
    assert seen > 0


def test_the_copy_of_an_inventory_of_a_file_has_the_same_simulation() -> None:
    stock = Inventory.from_toml(EXAMPLES / "london.toml")
    twin = pickle.loads(pickle.dumps(stock))
    orders = inventory.base_stock_orders(stock, level=9)
    costs = [
        inventory.simulate(each, orders, periods=30, replications=20).discounted_cost
        for each in (stock, twin)
    ]
    assert costs[0].tobytes() == costs[1].tobytes()


def test_states_that_pickle_did_not_write_are_refused() -> None:
    state = small().__getstate__()  # type: ignore[operator]
    for wrong in [(), (*state[:7], 1.5, ""), (*state[:4], [[0.5]], *state[5:])]:
        with pytest.raises(InvalidInput):
            Inventory.__new__(Inventory).__setstate__(wrong)  # type: ignore[attr-defined]
    env = InventoryEnv(small())
    episode = env._episode
    for wrong in [(), (None, 0, 1, 0, 0), (small(), 10**6, 1, 0, 0)]:
        with pytest.raises(InvalidInput):
            type(episode).__new__(type(episode)).__setstate__(wrong)


@pytest.mark.parametrize("space", [Discrete(1000), Box([0, -5], [1000, 1000]), Box(0, 1000)])
def test_copies_of_spaces_draw_the_same(space: Any) -> None:
    space.sample()
    for way in WAYS:
        twin = way(space)
        assert twin == space
        assert np.array_equal([twin.sample() for _ in range(5)], [space.sample() for _ in range(5)])
