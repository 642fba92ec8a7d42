"""The perishable stock as an environment for agents: Gymnasium's interface without Gymnasium.

A period is one step: the action is the number of units to order, the reward is the negative cost.
Demand, deliveries and costs are those of the library's simulation, so that an agent's policy can be
compared with exact values: `shortfall.inventory.evaluate` and `solve` take the same inventory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._core import InvalidInput
from ._core.inventory import Episode, Inventory
from ._spaces import DEFAULT_SEED, Box, Discrete, is_whole

__all__ = ["Box", "Discrete", "InventoryEnv"]

_LARGEST_SEED = 2**64 - 1


def _one_of(name: str, value: Any, accepted: tuple[Any, ...]) -> Any:
    if value not in accepted:
        raise InvalidInput(f"{name} = {value!r}; accepted: {', '.join(map(repr, accepted))}")
    return value


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if not is_whole(value) or not least <= value <= most:
        raise InvalidInput(f"{name} = {value!r}; accepted: whole numbers from {least} to {most}")
    return int(value)


def _is_int64(value: Any) -> bool:
    return is_whole(value) and abs(int(value)) < 2**63


class InventoryEnv:
    """An inventory, period by period.

    inventory : its loss and discount are not used: rewards are plain negative costs.
    periods : after this many, `truncated` is True; None for no limit. Nothing ever terminates.
    observation : "stock" for an array of the units with 1, 2, .. periods left, followed by the day,
        0 to 6, if anything depends on the weekday; "state" for the number of the state, as in the
        arrays of `shortfall.inventory`.
    too_large : an order that exceeds the capacity or the day's largest order is reduced ("cut"), so
        that agents without masks work, or an error ("refuse").
    render_mode : "ansi" for a `render` that returns a line of text.

    ``info`` has ``state`` and ``day`` after the step, and ``action_mask``, with 1 for each order that
    is possible next. After a step it also has the ``order`` that was placed, ``demand``, the units
    ``left``, ``lost`` and ``expired``, the ``cost`` and its parts: ``order_cost``, ``unit_cost``,
    ``holding_cost``, ``shortage_cost`` and ``wastage_cost``.

    Copies, by `copy.deepcopy` or `pickle`, continue as the original does, bit for bit.

    Examples
    --------
    >>> from shortfall.gym import InventoryEnv
    >>> from shortfall.inventory import Inventory, poisson_demand
    >>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
    ...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
    ...                       loss="mean")
    >>> env = InventoryEnv(inventory)
    >>> env.action_space, env.observation_space
    (Discrete(5), Box([0, 0], [4, 4]))
    >>> observation, info = env.reset(seed=7)
    >>> observation, info["state"]
    (array([0, 0]), 0)
    >>> observation, reward, terminated, truncated, info = env.step(4)
    >>> info["demand"], info["left"], reward
    (2, 2, -4.0)
    >>> observation, info["action_mask"]  # room for two more
    (array([0, 2]), array([1, 1, 1, 0, 0], dtype=int8))

    Episodes are the replications of `shortfall.inventory.simulate` with the same seed:

    >>> from shortfall.inventory import base_stock_orders, simulate
    >>> orders = base_stock_orders(inventory, level=3)
    >>> costs = []
    >>> for seed in [5, None, None]:  # the next replication where no seed is given
    ...     _, info = env.reset(seed=seed)
    ...     truncated, cost, discount = False, 0.0, 1.0
    ...     while not truncated:
    ...         _, reward, _, truncated, info = env.step(orders[info["state"]])
    ...         cost, discount = cost - discount * reward, discount * inventory.gamma
    ...     costs.append(cost)
    >>> costs == list(simulate(inventory, orders, periods=365, replications=3, seed=5).discounted_cost)
    True
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
    spec = None

    def __init__(
        self,
        inventory: Inventory,
        *,
        periods: int | None = 365,
        observation: str = "stock",
        too_large: str = "cut",
        render_mode: str | None = None,
    ) -> None:
        if periods is not None:
            periods = _whole("periods", periods, 1, 10**9)
        self._episode = Episode(inventory)
        self._inventory, self._periods = inventory, periods
        self._shows_state = _one_of("observation", observation, ("stock", "state")) == "state"
        self._refuses = _one_of("too_large", too_large, ("cut", "refuse")) == "refuse"
        self.render_mode = _one_of("render_mode", render_mode, (None, "ansi"))
        orders = int(np.max(inventory.max_order)) + 1
        self.action_space = Discrete(orders)
        self._masks = np.tri(orders, dtype=np.int8)
        ages = inventory.shelf_life - 1
        high = [inventory.capacity] * ages + ([6] if inventory.days > 1 else [])
        self.observation_space: Box | Discrete = (
            Discrete(inventory.states) if self._shows_state else Box([0] * len(high), high)
        )
        self._seed, self._replication = DEFAULT_SEED, -1
        self._period: int | None = None  # of the episode; None if there is none
        self._last: dict[str, Any] = {}

    @property
    def inventory(self) -> Inventory:
        """As given."""
        return self._inventory

    @property
    def unwrapped(self) -> InventoryEnv:
        """The environment itself."""
        return self

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode and returns (observation, info).

        With a seed, it is replication 0 of the simulation with that seed; without one, the next
        replication of the previous seed, which is 1 at the start. `options` may have ``stock`` and
        ``day`` for another start than the empty stock on day 0.
        """
        state = self._start({} if options is None else options)
        if seed is None:
            self._replication += 1
        else:
            self._seed, self._replication = _whole("seed", seed, 0, _LARGEST_SEED), 0
        self._episode.start(state, self._seed, self._replication)
        self._period, self._last = 0, {}
        return self._observed(), self._known()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Orders `action` units, and returns (observation, reward, terminated, truncated, info)."""
        if self._period is None:
            raise InvalidInput("step without a start; accepted: reset() before the first step")
        if self._period == self._periods:
            raise InvalidInput(
                f"the episode is over after {self._periods} periods; accepted: reset() first"
            )
        if not self.action_space.contains(action):
            raise InvalidInput(
                f"action = {action!r}; accepted: the number of units to order, a whole number from 0 "
                f"to {self.action_space.n - 1}"
            )
        order = int(action)
        if not self._refuses:
            order = min(order, self._episode.largest_order)
        self._last = self._episode.step(order)
        self._period += 1
        info = {**self._last, **self._known()}
        is_over = self._period == self._periods
        return self._observed(), 0.0 - info["cost"], False, is_over, info

    def render(self) -> str | None:
        """With render_mode "ansi", a line about the last period and the stock."""
        if self.render_mode is None:
            return None
        if self._period is None:
            raise InvalidInput("render without a start; accepted: reset() first")
        day = f", day {self._episode.day}" if self._inventory.days > 1 else ""
        now = f"period {self._period}{day}: stock {self._episode.stock.tolist()}"
        if not self._last:
            return now
        names = ("order", "demand", "lost", "expired", "cost")
        return now + " after " + ", ".join(f"{name} {self._last[name]:g}" for name in names)

    def close(self) -> None:
        """Nothing to release."""

    def __enter__(self) -> InventoryEnv:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"InventoryEnv({self._inventory}, periods={self._periods})"

    def _start(self, options: Any) -> int:
        """The state that options of reset() ask for."""
        if not isinstance(options, Mapping):
            raise InvalidInput(f"options = {options!r}; accepted: a dict with 'stock' and 'day'")
        for name in options:
            if name not in ("stock", "day"):
                raise InvalidInput(f"options have {name!r}; accepted: 'stock' and 'day'")
        ages, days = self._inventory.shelf_life - 1, self._inventory.days
        stock, day = options.get("stock", [0] * ages), options.get("day", 0)
        if not is_whole(day) or not 0 <= day < days:
            accepted = "0" if days == 1 else "0 for Monday to 6 for Sunday"
            raise InvalidInput(f"day = {day!r}; accepted: {accepted}")
        is_list = isinstance(stock, Sequence) or (isinstance(stock, np.ndarray) and stock.ndim > 0)
        if not is_list or len(stock) != ages or not all(map(_is_int64, stock)):
            raise InvalidInput(
                f"stock = {stock!r}; accepted: {ages} whole numbers, the units with 1, 2, .. "
                "periods left"
            )
        return int(self._inventory.index([int(n) for n in stock], int(day)))

    def _observed(self) -> Any:
        if self._shows_state:
            return self._episode.state
        stock = self._episode.stock
        return np.append(stock, self._episode.day) if self._inventory.days > 1 else stock

    def _known(self) -> dict[str, Any]:
        episode = self._episode
        mask = self._masks[episode.largest_order].copy()
        return {"state": episode.state, "day": episode.day, "action_mask": mask}
