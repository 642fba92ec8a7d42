"""Losses and the risk of one distribution."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf

LOSSES = [
    sf.mean(),
    sf.expectile(0.9),
    sf.entropic(0.1),
    sf.truncated_entropic(0.1, 5.0),
    sf.soft_quantile(0.8, 2.0),
    sf.piecewise([(-1.0, -0.5), (0.0, 0.0), (2.0, 3.0)]),
    sf.Loss(lambda x: 2 * x + np.sqrt(1 + x * x) - 1, slope_bounds=(1, 3)),
    sf.Loss(lambda x: 3 * x if x > 0 else x, slope_bounds=(1, 3)),
]
laws = st.lists(
    st.tuples(st.floats(-50, 50), st.floats(0.01, 1)), min_size=1, max_size=8
).map(lambda pairs: (np.array([v for v, _ in pairs]), _normalised([p for _, p in pairs])))


def _normalised(weights: list[float]) -> np.ndarray:
    return np.array(weights) / sum(weights)


def by_bisection(values: np.ndarray, probabilities: np.ndarray, loss: sf.Loss) -> float:
    low, high = values.min(), values.max()
    for _ in range(200):
        middle = 0.5 * (low + high)
        if probabilities @ loss(values - middle) > 0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@given(law=laws)
def test_the_risk_is_where_the_expected_loss_changes_sign(
    loss: sf.Loss, law: tuple[np.ndarray, np.ndarray]
) -> None:
    expected = by_bisection(*law, loss)
    assert sf.risk(*law, loss) == pytest.approx(expected, abs=1e-11 * (1 + abs(law[0]).max()))


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@given(law=laws, shift=st.floats(-20, 20), more=st.floats(0, 10))
def test_the_risk_is_translation_invariant_and_monotone(
    loss: sf.Loss, law: tuple[np.ndarray, np.ndarray], shift: float, more: float
) -> None:
    values, probabilities = law
    risk = sf.risk(values, probabilities, loss)
    assert sf.risk(values + shift, probabilities, loss) == pytest.approx(risk + shift, abs=1e-10)
    worse = values.copy()
    worse[0] += more
    assert sf.risk(worse, probabilities, loss) >= risk - 1e-10


def test_known_answers() -> None:
    assert sf.risk([1, 2, 3, 4, 5], None, "expectile:0.25") == pytest.approx(7 / 3, abs=1e-15)
    entropic = sf.risk([0, 1], None, "entropic:1")
    assert entropic == pytest.approx(math.log((1 + math.e) / 2), abs=1e-15)


def test_a_function_gives_the_same_risk_as_the_built_in_loss() -> None:
    values = np.random.default_rng(1).normal(size=50)
    for function in (lambda x: np.where(x > 0, 0.9 * x, 0.1 * x), lambda x: x * (0.9 if x > 0 else 0.1)):
        exact = sf.risk(values, None, "expectile:0.9")
        assert sf.risk(values, None, function) == pytest.approx(exact, abs=1e-14)


def test_a_function_that_takes_arrays_is_called_once_for_all_outcomes() -> None:
    calls = []

    def loss(x: np.ndarray) -> np.ndarray:
        calls.append(np.size(x))
        return np.where(x > 0, 2 * x, x)

    made = sf.Loss(loss)
    calls.clear()
    sf.risk(np.arange(100.0), None, made)
    assert set(calls) == {100}


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_slope_and_score_are_derivative_and_integral(loss: sf.Loss) -> None:
    for x in (-7.3, -1.7, -0.4, 0.3, 1.1, 6.1):
        h = 1e-6
        assert loss.slope(x) == pytest.approx((loss(x) - loss(x - h)) / h, rel=1e-5)
        grid, width = np.linspace(0, x, 2001, retstep=True)
        trapezoids = width * (loss(grid).sum() - 0.5 * (loss(0.0) + loss(x)))
        assert loss.score(x) == pytest.approx(trapezoids, rel=1e-5)
        lower, upper = loss.slope_bounds
        assert lower - 1e-6 <= loss.slope(x) <= upper + 1e-6


@pytest.mark.parametrize("loss", LOSSES[:6], ids=repr)
def test_losses_pickle_and_compare(loss: sf.Loss) -> None:
    again = pickle.loads(pickle.dumps(loss))
    assert again == loss and hash(again) == hash(loss) and again.word == loss.word
    assert sf.Loss(loss.word) == loss
    assert loss != sf.expectile(0.123)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_losses_pickle_in_every_protocol(protocol: int) -> None:
    for loss in (sf.expectile(0.9), sf.Loss(math.sinh)):
        assert pickle.loads(pickle.dumps(loss, protocol)) == loss


def test_a_loss_is_not_equal_to_other_objects() -> None:
    assert sf.mean() != "mean" and sf.mean() != 3 and sf.mean() is not None
    assert sf.mean() == sf.Loss("mean") != sf.expectile(0.5)


def test_a_function_of_a_module_pickles() -> None:
    loss = sf.Loss(math.sinh, slope=math.cosh, slope_bounds=(1, math.inf))
    again = pickle.loads(pickle.dumps(loss))
    assert again == loss and again(0.5) == math.sinh(0.5) and again.slope(0.5) == math.cosh(0.5)


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ("expectle:0.9", "loss 'expectle:0.9' is not known; accepted: mean"),
        ("expectile:1.5", "accepted"),
        (lambda x: x + 1, "the loss is 1 at 0; accepted: exactly 0"),
        (lambda x: -x, "accepted: an increasing function"),
    ],
)
def test_invalid_losses_are_rejected(loss: object, message: str) -> None:
    with pytest.raises(sf.InvalidInput, match=message):
        sf.risk([0.0, 1.0], None, loss)  # type: ignore[arg-type]


def test_other_objects_are_type_errors_that_explain_what_a_loss_is() -> None:
    with pytest.raises(TypeError, match="a name such as 'expectile:0.9' or a function, not 3"):
        sf.risk([0.0, 1.0], None, 3)  # type: ignore[arg-type]


# Slopes 1 and 2, as a function of arrays and of numbers.
STEEPER = {"array": lambda x: np.where(x > 0, 2 * x, x), "number": lambda x: max(2 * x, x)}
FALSE = [
    ((1.5, 2), r"slope 1 .* outside its slope bounds \(1.5, 2\)"),
    ((1, 1.5), r"slope 2 .* outside its slope bounds \(1, 1.5\)"),
]


@pytest.mark.parametrize("kind", STEEPER)
@pytest.mark.parametrize(("bounds", "message"), FALSE)
def test_false_slope_bounds_are_found_where_the_loss_is_evaluated(
    kind: str, bounds: tuple[float, float], message: str
) -> None:
    loss = sf.Loss(STEEPER[kind], slope_bounds=bounds)
    with pytest.raises(sf.InvalidInput, match=message):
        sf.risk([0.0, 10.0], None, loss)
    model = sf.Mdp([np.array([[0.5, 0.5], [0.5, 0.5]])], cost=[np.array([[0.0, 4.0], [1.0, 7.0]])])
    with pytest.raises(sf.InvalidInput, match=message):
        sf.solve(model, loss, 0.9)
    learner = sf.Td(1, loss, 0.9)
    with pytest.raises(sf.InvalidInput, match=message):
        for cost in (-3.0, 3.0):
            learner.update([1.0], cost, [0.0])


def test_a_false_curvature_is_found_where_the_loss_is_evaluated() -> None:
    def root(x: np.ndarray) -> np.ndarray:  # concave above 0, convex below
        return x + np.sign(x) * (np.sqrt(1 + np.abs(x)) - 1)

    right = sf.Loss(root, slope_bounds=(1, 1.5), curvature=("convex", "concave"))
    expected = by_bisection(np.array([0.0, 10.0]), np.array([0.2, 0.8]), right)
    assert sf.risk([0.0, 10.0], [0.2, 0.8], right) == pytest.approx(expected, abs=1e-12)
    for curvature, word in ((("convex", "convex"), "convex"), (("concave", "concave"), "concave")):
        loss = sf.Loss(root, slope_bounds=(1, 1.5), curvature=curvature)
        with pytest.raises(sf.InvalidInput, match=f"the loss is not {word}, as its curvature says"):
            sf.risk([0.0, 10.0], [0.2, 0.8], loss)


def test_a_kink_at_0_counts_for_the_error_bound() -> None:
    """Each half is convex, and the kink at 0 is concave: the loss is neither."""
    model = sf.Mdp([np.array([[0.5, 0.5], [0.5, 0.5]])], cost=[np.array([[0.0, 4.0], [1.0, 7.0]])])

    def bent(x: np.ndarray) -> np.ndarray:
        return np.where(x > 0, x + 0.5 * np.maximum(x - 1, 0), 1000 * x)

    bounds = [
        sf.solve(model, sf.Loss(bent, slope_bounds=(1, 1000), curvature=curvature), 0.9).error_bound
        for curvature in (("linear", "convex"), ("mixed", "mixed"))
    ]
    assert bounds[0] == bounds[1] < 1e-6


def test_a_slope_may_be_unbounded_at_0() -> None:
    """sign(x) √|x|, whose slope is infinite at 0: risks are right, and no bound is claimed."""
    function = lambda x: np.sign(x) * np.sqrt(np.abs(x))  # noqa: E731
    for loss in (sf.Loss(function), sf.Loss(function, slope_bounds=(0, math.inf))):
        assert sf.risk([0.0, 1.0], None, loss) == pytest.approx(0.5, abs=1e-12)
        expected = by_bisection(np.array([0.0, 1.0, 5.0]), np.full(3, 1 / 3), loss)
        assert sf.risk([0.0, 1.0, 5.0], None, loss) == pytest.approx(expected, abs=1e-12)
    with pytest.raises(sf.InvalidInput, match="outside its slope bounds"):
        sf.risk([0.0, 1.0, 1.0], None, sf.Loss(function, slope_bounds=(0.5, 1)))


def test_errors_in_a_function_are_passed_on() -> None:
    def loss(x: np.ndarray) -> np.ndarray:
        if np.any(x > 500):
            raise ZeroDivisionError("mine")
        return 2 * x

    with pytest.raises(ZeroDivisionError, match="mine"):
        sf.risk([0.0, 2000.0], None, loss)


@pytest.mark.parametrize("returned", [None, "x", 1j, np.array([1j]), [1.0, 2.0, 3.0, 4.0]])
def test_a_function_must_return_numbers(returned: object) -> None:
    def loss(x: object) -> object:
        return returned if np.any(np.asarray(x) == 0.25) else x

    with pytest.raises(sf.InvalidInput, match="the loss returned"):
        sf.Loss(loss)(0.25)


def test_slope_and_score_must_be_functions() -> None:
    with pytest.raises(TypeError, match="slope must be a function, not 3"):
        sf.Loss(np.sinh, slope=3)  # type: ignore[arg-type]


def test_a_function_of_numbers_may_fail_on_arrays_in_any_way() -> None:
    def loss(x: float) -> float:
        return x if float.is_integer(x) else 2 * x if x > 0 else x

    assert sf.Loss(loss)(0.5) == 1.0


def test_integrating_a_score_that_overflows_terminates() -> None:
    assert sf.Loss(np.sinh).score(800.0) == math.inf
    assert sf.Loss(lambda x: x + 1e-9 * np.sin(1e6 * x)).score(1.0) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "probabilities", "message"),
    [
        ([0.0, 1.0], [0.5, 0.6], "sum"),
        ([0.0, math.nan], None, "nan"),
        ([0.0, 1.0], [0.5], "1 probabilities for 2 atoms"),
        ([], None, "at least one"),
        ([[0.0, 1.0]], None, "2 dimensions; accepted: 1"),
    ],
)
def test_invalid_distributions_are_rejected(values: object, probabilities: object, message: str) -> None:
    with pytest.raises(sf.InvalidInput, match=message):
        sf.risk(values, probabilities, "mean")  # type: ignore[arg-type]


def test_overflow_is_an_error() -> None:
    with pytest.raises(OverflowError, match="scale the numbers down"):
        sf.risk([-1.7e308, 1.7e308], None, "expectile:0.9")
