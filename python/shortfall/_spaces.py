"""What an environment's actions and observations can be: Gymnasium's Discrete, and its Box of whole
numbers, as far as agents use them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import InvalidInput  # type: ignore[import]

DEFAULT_SEED = 1  # as everywhere in this package
_LARGEST = np.iinfo(np.int64).max


def is_whole(x: Any) -> bool:
    """Whole numbers of Python and NumPy, and arrays of shape () with one."""
    if isinstance(x, (bool, np.bool_)):
        return False
    if isinstance(x, (int, np.integer)):
        return True
    return isinstance(x, np.ndarray) and x.shape == () and np.issubdtype(x.dtype, np.integer)


def _generator_of(seed: Any) -> np.random.Generator:
    if not is_whole(seed) or seed < 0:
        raise InvalidInput(f"seed = {seed!r}; accepted: whole numbers from 0")
    return np.random.default_rng(int(seed))


def _bound(given: Any) -> np.ndarray[Any, Any]:
    """One of a box, as an array. Throws InvalidInput unless int64 has its numbers."""
    bound = np.asarray(given)
    if bound.size > 0 and not (np.issubdtype(bound.dtype, np.integer) and int(bound.max()) <= _LARGEST):
        raise InvalidInput(f"a bound {given}; accepted: whole numbers from -2**63 to 2**63 - 1")
    return bound.astype(np.int64)


class _Space:
    """Draws come from its own generator, which `seed` restarts."""

    shape: tuple[int, ...]
    dtype = np.dtype(np.int64)

    def __init__(self) -> None:
        self._generator = np.random.default_rng(DEFAULT_SEED)

    def seed(self, seed: int | None = None) -> int:
        """Restarts the generator and returns the seed: 1 if none is given."""
        seed = DEFAULT_SEED if seed is None else seed
        self._generator = _generator_of(seed)
        return int(seed)

    def _drawing(self, seed: int | None) -> np.random.Generator:
        return self._generator if seed is None else _generator_of(seed)

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Discrete(_Space):
    """The whole numbers 0, 1, .., n - 1.

    Examples
    --------
    >>> from shortfall.gym import Discrete
    >>> space = Discrete(5)
    >>> 4 in space, 5 in space, 1.0 in space
    (True, False, False)
    >>> only_two = space.sample(np.array([0, 0, 1, 0, 0], dtype=np.int8))  # a mask, as in Gymnasium
    >>> int(only_two)
    2
    """

    shape = ()
    start = 0

    def __init__(self, n: int) -> None:
        super().__init__()
        if not is_whole(n) or not 1 <= n <= _LARGEST:
            raise InvalidInput(f"n = {n!r}; accepted: whole numbers from 1 to 2**63 - 1")
        self.n = int(n)

    def sample(self, mask: Any = None, *, seed: int | None = None) -> np.int64:
        """A number, each with the same probability; with a mask, which has n entries, only where it
        is 1. With a seed, the draw depends on nothing else.
        """
        generator = self._drawing(seed)
        if mask is None:
            return np.int64(generator.integers(self.n))
        mask = np.asarray(mask)
        allowed = np.flatnonzero(mask)
        if mask.shape != (self.n,) or allowed.size == 0 or not (mask[allowed] == 1).all():
            raise InvalidInput(f"mask = {mask}; accepted: {self.n} entries, 0 or 1, not all 0")
        return np.int64(allowed[generator.integers(allowed.size)])

    def contains(self, x: Any) -> bool:
        """Whether x is one of these numbers."""
        return is_whole(x) and 0 <= int(x) < self.n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discrete) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class Box(_Space):
    """Arrays of whole numbers, each between its own bounds.

    Examples
    --------
    >>> from shortfall.gym import Box
    >>> space = Box([0, 0], [4, 6])
    >>> np.array([4, 6]) in space, np.array([5, 6]) in space, np.array([4]) in space
    (True, False, False)
    >>> space.shape, space.sample(seed=3) in space
    ((2,), True)
    """

    def __init__(self, low: Any, high: Any) -> None:
        super().__init__()
        self.low, self.high = _bound(low), _bound(high)
        if self.low.shape != self.high.shape or (self.low > self.high).any():
            raise InvalidInput(
                f"low = {low}, high = {high}; accepted: as many numbers, none larger than in high"
            )
        self.shape = self.low.shape

    def is_bounded(self, manner: str = "both") -> bool:
        """Always: both bounds are numbers."""
        return True

    def sample(self, mask: None = None, *, seed: int | None = None) -> np.ndarray[Any, Any]:
        """An array, each with the same probability. With a seed, the draw depends on nothing else.
        A box has no masks.
        """
        if mask is not None:
            raise InvalidInput("a mask for a box; accepted: None")
        drawn = self._drawing(seed).integers(self.low, self.high, endpoint=True, dtype=np.int64)
        return np.asarray(drawn)  # NumPy has numbers in place of arrays of shape ()

    def contains(self, x: Any) -> bool:
        """Whether x is an array of whole numbers of this shape, between the bounds."""
        if not isinstance(x, np.ndarray) or x.shape != self.shape:
            return False
        if not np.issubdtype(x.dtype, np.integer) or (x > _LARGEST).any():
            return False
        x = x.astype(np.int64)  # NumPy compares other types as floating-point numbers
        return bool((self.low <= x).all() and (x <= self.high).all())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box) or self.shape != other.shape:
            return False
        return bool((self.low == other.low).all() and (self.high == other.high).all())

    def __hash__(self) -> int:
        return hash((self.low.tobytes(), self.high.tobytes()))

    def __repr__(self) -> str:
        return f"Box({self.low.tolist()}, {self.high.tolist()})"
