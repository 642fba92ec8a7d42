"""Perishable stock: orders learned from samples, and values estimated from them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from inventory_for_tests import DEMAND, EXAMPLES, small
import shortfall
from shortfall import InvalidInput, inventory
from shortfall.inventory import Inventory, Training, TrainingRecord

FEW: dict[str, Any] = {"samples": 4000, "trajectories": 4, "warmup": 200}


def same(one: Training, two: Training) -> bool:
    return one.__getstate__() == two.__getstate__()


@pytest.mark.parametrize("improvement", ["exact", "sampled:10"])
@pytest.mark.parametrize("algorithm", ["td", "newton"])
def test_a_resumed_training_gives_identical_results(
    algorithm: str, improvement: str
) -> None:
    stock = small(demand=[DEMAND] * 7)
    options: dict[str, Any] = {**FEW, "algorithm": algorithm, "improvement": improvement}
    whole = inventory.train(stock, iterations=5, **options, threads=1)
    first = inventory.train(stock, iterations=2, **options)
    kept = pickle.loads(pickle.dumps(first))
    assert same(kept, first) and repr(kept) == repr(first)
    rest = inventory.train(stock, iterations=5, **options, resume=kept, threads=2)
    assert same(rest, whole)
    assert same(kept, first)  # what is resumed stays what it was
    assert same(inventory.train(stock, iterations=3, **options, resume=whole), whole)
    assert not same(inventory.train(stock, iterations=5, **options, seed=2), whole)


def test_learned_orders_are_evaluated_exactly() -> None:
    stock = Inventory.from_toml(EXAMPLES / "platelets3.toml", set={"risk.tau": 0.9})
    seen: list[TrainingRecord] = []
    training = inventory.train(
        stock, iterations=4, samples=20000, trajectories=10, on_iteration=seen.append
    )
    best = training.best
    assert training.status == "converged"
    assert [record.iteration for record in training.trace] == [0, 1, 2, 3, 4]
    assert [record.value_at_empty for record in seen] == [
        record.value_at_empty for record in training.trace[1:]
    ]
    assert all(record.used == 10 for record in seen)
    assert training.values[0] == best.value_at_empty
    assert training.values[0] == min(record.value_at_empty for record in training.trace)
    assert training.error_bound == best.error_bound <= 1e-6
    exact = inventory.evaluate(stock, training.policy)
    assert np.abs(training.values - exact.values).max() <= 1e-6 + exact.error_bound
    last = inventory.evaluate(stock, training.last_policy)
    assert last.values[0] == pytest.approx(training.trace[-1].value_at_empty, abs=2e-6)
    assert training.theta.shape == (7,)  # 1, V, x1, x2 and three products
    assert np.shares_memory(training.policy, training.policy)
    assert repr(training).startswith(f"Training(converged, 4 iterations, best {best.iteration}: ")
    # The paper's gaps for newton at shelf life 3 are well below one percent.
    optimum = inventory.solve(stock).values[0]
    assert optimum - 2e-6 <= training.values[0] <= 1.01 * optimum


def test_another_training_cannot_be_resumed() -> None:
    stock = small()
    training = inventory.train(stock, iterations=1, **FEW)
    with pytest.raises(InvalidInput, match="another inventory; accepted: one with the same numbers"):
        inventory.train(stock.replace(gamma=0.5), iterations=2, **FEW, resume=training)
    for option, value in [("seed", 2), ("samples", 5000), ("improvement", "sampled:5")]:
        with pytest.raises(InvalidInput, match=f"{option} = {value}, but the training to resume"):
            inventory.train(stock, iterations=2, **{**FEW, option: value}, resume=training)
    with pytest.raises(InvalidInput, match="a pickled Training"):
        inventory.Training.__new__(inventory.Training).__setstate__(b"nothing")


def test_options_of_other_algorithms_are_refused() -> None:
    stock = small()
    for algorithm in ("averager-td", "averager-newton"):
        with pytest.raises(InvalidInput, match='normalisation with algorithm.*accepted: "td" or'):
            inventory.train(stock, **FEW, algorithm=algorithm, normalisation="largest")
    with pytest.raises(InvalidInput, match='step with algorithm "newton"; accepted: "td" or'):
        inventory.train(stock, **FEW, step="0.1")
    steps = [inventory.train(stock, iterations=1, **FEW, algorithm="averager-td", step=step)
             for step in (None, "1,100,0.8")]
    assert not np.array_equal(steps[0].theta, steps[1].theta)


def test_the_published_evaluation_and_what_it_leaves_open() -> None:
    stock = small()
    published = inventory.train(stock, iterations=2, **FEW, evaluation="published")
    same_by_name = inventory.train(
        stock,
        iterations=2,
        **FEW,
        evaluation="published",
        normalisation="largest",
        paths="divided",
        start="empty",
        first_weights="zero",
        next_weights="carried",
        draws="per-state",
    )
    assert same(published, same_by_name)
    assert not same(published, inventory.train(stock, iterations=2, **FEW))
    for option in [
        {"paths": "separate"},
        {"first_weights": "non-perishable"},
        {"next_weights": "first"},
        {"start": "uniform"},
    ]:
        other = inventory.train(stock, iterations=2, **FEW, evaluation="published", **option)
        assert not np.array_equal(other.theta, published.theta)
    with pytest.raises(InvalidInput, match="evaluation = restarted, but the training to resume had"):
        inventory.train(stock, iterations=3, **FEW, resume=published)
    with pytest.raises(InvalidInput, match="next_weights = first, but the training to resume had"):
        inventory.train(
            stock,
            iterations=3,
            **FEW,
            resume=published,
            evaluation="published",
            next_weights="first",
        )
    with pytest.raises(InvalidInput, match="start 'full'; accepted: delivery, empty, uniform"):
        inventory.train(stock, **FEW, start="full")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="step size 'large'; accepted: B1,B2,DELTA"):
        inventory.train(stock, **FEW, algorithm="td", step="large")


def test_an_estimate_as_published_has_steps_of_its_own() -> None:
    stock = small()
    orders = inventory.train(stock, iterations=1, **FEW).policy
    few: dict[str, Any] = {**FEW, "algorithm": "td", "evaluation": "published"}
    given = inventory.estimate(stock, orders, **few, step="2,100,0.6666666666666666")
    assert given.value_at_empty == inventory.estimate(stock, orders, **few).value_at_empty
    smaller = inventory.estimate(stock, orders, **few, step="0.01,100,0.6666666666666666")
    # Weights begin at 0, and small steps leave them closer to it.
    assert 0 < smaller.value_at_empty < given.value_at_empty


def test_an_exception_in_a_callback_stops_the_training() -> None:
    def enough(record: TrainingRecord) -> None:
        if record.iteration == 2:
            raise RuntimeError("two are enough")

    with pytest.raises(RuntimeError, match="two are enough"):
        inventory.train(small(), **FEW, on_iteration=enough)


def test_a_stopped_training_can_be_resumed() -> None:
    whole = inventory.train(small(), iterations=4, **FEW)
    stopped = inventory.train(
        small(), iterations=4, **FEW, on_iteration=lambda record: record.iteration < 2
    )
    assert [record.iteration for record in stopped.trace] == [0, 1, 2]
    assert same(inventory.train(small(), iterations=4, **FEW, resume=stopped), whole)
    learned = 0

    def stop_in_third(progress: shortfall.Progress) -> bool:
        nonlocal learned
        learned += progress.activity == "improving" and progress.fraction == 1
        return learned < 3

    stopped = inventory.train(small(), iterations=4, **FEW, monitor=stop_in_third)
    assert 1 < len(stopped.trace) < 5
    assert same(inventory.train(small(), iterations=4, **FEW, resume=stopped), whole)
    with pytest.raises(RuntimeError, match="stopped before the first orders were evaluated"):
        inventory.train(small(), iterations=4, **FEW, monitor=lambda _: False)


def test_one_request_at_the_end_of_a_part_stops_the_training() -> None:
    asked = 0

    def once(progress: shortfall.Progress) -> bool:
        nonlocal asked
        if progress.activity == "learning" and progress.done == progress.total:
            asked += 1
        return asked != 1

    assert len(inventory.train(small(), iterations=4, **FEW, monitor=once).trace) == 1
    assert asked == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "sarsa"}, "algorithm 'sarsa'; accepted: td, newton"),
        ({"improvement": "sampled:0"}, 'improvement = "sampled:0"; accepted: "exact", or'),
        ({"improvement": "guess"}, 'improvement = "guess"; accepted: "exact", or'),
        ({"iterations": 0}, "iterations = 0; accepted: at least 1"),
        ({"samples": -1}, "samples = -1; accepted"),
        ({"samples": 10, "trajectories": 20}, "10 samples in 20 trajectories; accepted"),
        ({"warmup": 4000}, "a warm-up of 4000 samples in trajectories of 3000; accepted"),
        ({"tolerance": -1.0}, "tolerance = -1; accepted: a number > 0"),
    ],
)
def test_invalid_options_are_rejected(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        inventory.train(small(), **options)
    assert message in str(error.value)


def test_an_estimate_from_samples_is_near_the_exact_value() -> None:
    stock = small(loss="mean", gamma=0.6)
    orders = inventory.base_stock_orders(stock, 4)
    one = inventory.estimate(stock, orders, threads=1)
    two = inventory.estimate(stock, orders, threads=2)
    assert one.value_at_empty == two.value_at_empty and (one.theta == two.theta).all()
    assert (one.used, one.singular, one.diverged) == (20, 0, 0)
    # The quadratic features fit these values to a few percent.
    exact = inventory.evaluate(stock, orders).values[0]
    assert one.value_at_empty == pytest.approx(exact, rel=0.1)
    assert repr(one).endswith("20 of 20 trajectories used)")


def test_a_modified_state_is_rejected_or_harmless() -> None:
    training = inventory.train(small(), iterations=1, **FEW)
    state = training.__getstate__()
    refused = 0
    for position in range(len(state)):
        changed = bytearray(state)
        changed[position] ^= 0xFF
        other = Training.__new__(Training)
        try:
            other.__setstate__(bytes(changed))
        except (InvalidInput, MemoryError):
            refused += 1
            continue
        assert repr(other) and other.status and len(other.trace) == len(training.trace)
    assert refused > 0


def test_a_function_without_slope_bounds_trains_like_the_built_in_loss() -> None:
    """Nothing is certified, but the best orders are still kept."""
    function = small(loss=lambda x: np.where(x > 0, 0.8 * x, 0.2 * x))
    exact = inventory.train(small(loss="expectile:0.8"), iterations=2, **FEW)
    found = inventory.train(function, iterations=2, **FEW)
    assert found.best.iteration == exact.best.iteration > 0
    assert found.values[0] == pytest.approx(exact.values[0], abs=1e-5)
    assert found.error_bound == np.inf
