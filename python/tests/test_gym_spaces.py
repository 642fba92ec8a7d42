"""Spaces of actions and observations: what they contain, and that draws cover them evenly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shortfall import InvalidInput
from shortfall.gym import Box, Discrete

DRAWS = 10_000
# Each frequency is this close to its probability, except with probability 1e-6 (Hoeffding).
TOLERANCE = np.sqrt(np.log(2e6) / (2 * DRAWS))


def test_draws_from_numbers_are_even() -> None:
    space = Discrete(6)
    space.seed(2)
    drawn = [space.sample() for _ in range(DRAWS)]
    assert all(type(each) is np.int64 and each in space for each in drawn)
    assert abs(np.bincount(drawn, minlength=6) / DRAWS - 1 / 6).max() <= TOLERANCE


def test_draws_with_a_mask_are_even_where_it_is_one() -> None:
    space = Discrete(4)
    mask = np.array([1, 0, 1, 0], dtype=np.int8)
    frequency = np.bincount([space.sample(mask) for _ in range(DRAWS)], minlength=4) / DRAWS
    assert frequency[1] == frequency[3] == 0
    assert abs(frequency[0] - 0.5) <= TOLERANCE


def test_draws_from_a_box_are_even() -> None:
    space = Box([0, -1], [2, 1])
    space.seed(2)
    drawn = np.array([space.sample() for _ in range(DRAWS)])
    cell = 3 * drawn[:, 0] + drawn[:, 1] + 1
    assert abs(np.bincount(cell, minlength=9) / DRAWS - 1 / 9).max() <= TOLERANCE


@pytest.mark.parametrize("space", [Discrete(1000), Box([0, 0], [1000, 1000])])
def test_a_seed_decides_the_draws(space: Any) -> None:
    assert space.seed(3) == 3
    first = [space.sample() for _ in range(5)]
    space.seed(3)
    assert np.array_equal(first, [space.sample() for _ in range(5)])
    space.seed(4)
    assert not np.array_equal(first, [space.sample() for _ in range(5)])
    assert space.seed() == 1
    once = space.sample(seed=9)
    space.sample()
    assert np.array_equal(once, space.sample(seed=9))


def test_numbers_contain_whole_numbers_only() -> None:
    space = Discrete(3)
    assert all(each in space for each in (0, 2, np.int8(1), np.array(2)))
    assert not any(
        each in space for each in (-1, 3, 1.0, True, "1", None, np.array([1]), np.bool_(1))
    )


def test_a_box_contains_arrays_between_its_bounds_only() -> None:
    space = Box([0, 1], [3, 4])
    assert np.array([0, 4]) in space and np.array([3, 1], dtype=np.uint8) in space
    outside = ([-1, 1], [4, 1], [0, 0], [0, 5], [0], [[0, 1]], [0.0, 1.0])
    assert not any(np.array(each) in space for each in outside)
    assert [0, 1] not in space
    assert (space.shape, space.dtype, space.is_bounded()) == ((2,), np.int64, True)
    assert space.low.tolist() == [0, 1] and space.high.tolist() == [3, 4]


def test_a_box_may_have_the_shape_of_a_number() -> None:
    space = Box(0, 3)
    drawn = [space.sample() for _ in range(100)]
    assert all(isinstance(each, np.ndarray) and each.shape == () for each in drawn)
    assert all(each in space for each in drawn) and {int(each) for each in drawn} == {0, 1, 2, 3}
    assert np.array(4) not in space and repr(space) == "Box(0, 3)"


def test_a_box_of_all_numbers_compares_them_exactly() -> None:
    least, most = -(2**63), 2**63 - 1
    space = Box([least], [most])
    assert all(np.array([each]) in space for each in (least, 0, most))
    assert np.array([2**63], dtype=np.uint64) not in space
    assert np.array([2**53 + 1], dtype=np.uint64) not in Box([0], [2**53])
    assert space.sample() in space


def test_spaces_are_equal_if_they_contain_the_same() -> None:
    assert Discrete(3) == Discrete(3) != Discrete(4)
    assert Box([0], [1]) == Box([0], [1]) != Box([0], [2])
    assert Box([0], [1]) != Box([0, 0], [1, 1]) and Box([0], [1]) != Discrete(2)
    assert len({Discrete(3), Discrete(3), Box([0], [1]), Box([0], [1])}) == 2
    assert repr((Discrete(3), Box([0], [2]))) == "(Discrete(3), Box([0], [2]))"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Discrete(0), "n = 0; accepted: whole numbers from 1"),
        (lambda: Discrete(2.0), "n = 2.0; accepted"),  # type: ignore[arg-type]
        (lambda: Discrete(2).sample([0, 0]), "accepted: 2 entries, 0 or 1, not all 0"),
        (lambda: Discrete(2).sample([0, 1, 1]), "accepted: 2 entries"),
        (lambda: Discrete(2).sample([0, 2]), "accepted: 2 entries"),
        (lambda: Discrete(2).seed(-1), "seed = -1; accepted: whole numbers from 0"),
        (lambda: Discrete(2).sample(seed=-1), "seed = -1; accepted: whole numbers from 0"),
        (lambda: Box([0], [1]).sample(seed="a"), "seed = 'a'; accepted"),  # type: ignore[arg-type]
        (lambda: Discrete(2**63), "n = 9223372036854775808; accepted: whole numbers from 1 to"),
        (lambda: Box([0.5], [1]), "accepted: whole numbers"),
        (lambda: Box([0], np.array([2**64 - 1], dtype=np.uint64)), r"accepted: .* to 2\*\*63 - 1"),
        (lambda: Box([0], [2**63]), "a bound .9223372036854775808.; accepted: whole numbers"),
        (lambda: Box([0], [2**64]), r"a bound \[18446744073709551616\]; accepted: whole numbers"),
        (lambda: Box([2], [1]), "none larger than in high"),
        (lambda: Box([0, 0], [1]), "as many numbers"),
        (lambda: Box([0], [1]).sample([1]), "accepted: None"),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()
