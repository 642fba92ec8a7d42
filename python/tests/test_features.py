"""Feature maps for averagers, and sparse features in learners."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shortfall as sf
from shortfall import features

MAPS = {
    "tiles": features.TileCoding([0.0, -1.0], [2.0, 1.0], [3, 4], tilings=5),
    "hats": features.Hats([[0.0, 0.5, 2.0], [-1.0, 1.0]]),
    "uniform hats": features.Hats.uniform([0.0, -1.0], [2.0, 1.0], [3, 5]),
    "radial": features.NormalisedRadial([[0.0, 0.0], [1.0, 0.5], [2.0, -1.0]], [0.5, 1.0]),
}
maps = pytest.mark.parametrize("map_", MAPS.values(), ids=MAPS.keys())
coordinate = st.floats(-5.0, 5.0)


@maps
@given(points=st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=10))
def test_maps_are_partitions_of_unity(map_, points: list[tuple[float, float]]) -> None:  # type: ignore[no-untyped-def]
    dense = map_(np.array(points))
    assert dense.shape == (len(points), map_.dimension)
    assert (dense >= 0).all()
    np.testing.assert_allclose(dense.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    sparse = map_.sparse(np.array(points))
    assert sparse.shape == dense.shape
    np.testing.assert_array_equal(sparse.toarray(), dense)
    assert np.diff(sparse.indptr).max() <= map_.max_active
    np.testing.assert_array_equal(map_(points[0]), dense[0])


@maps
def test_maps_are_copied_and_pickled(map_) -> None:  # type: ignore[no-untyped-def]
    points = np.random.default_rng(1).normal(size=(20, 2))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(map_, protocol))
        np.testing.assert_array_equal(again(points), map_(points))
    np.testing.assert_array_equal(copy.deepcopy(map_)(points), map_(points))


def test_hats_interpolate() -> None:
    hats = features.Hats([[0.0, 1.0, 3.0]])
    np.testing.assert_allclose(hats([[2.0], [-7.0]]) @ [5.0, 1.0, 2.0], [1.5, 5.0])
    assert hats.knots == [[0.0, 1.0, 3.0]]


def test_aggregation_takes_states() -> None:
    cells = features.Aggregation([0, 1, 1, 0])
    assert (cells.states, cells.dimension, cells.max_active) == (4, 2, 1)
    np.testing.assert_array_equal(cells(2), [0, 1])
    np.testing.assert_array_equal(cells.sparse([0, 1, 3]).indices, [0, 1, 0])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(cells))([0, 1]), [[1, 0], [0, 1]])
    for bad in (4, -1, [[1]]):
        with pytest.raises(sf.InvalidInput, match="accepted"):
            cells(bad)
    with pytest.raises(sf.InvalidInput, match="no state in cell 0"):
        features.Aggregation([1])
    with pytest.raises(sf.InvalidInput, match="a state in cell -1"):
        features.Aggregation([-1])


def test_bad_maps_and_points_are_refused() -> None:
    with pytest.raises(sf.InvalidInput, match="coordinate 1 from 1 to 0"):
        features.TileCoding([1.0], [0.0], [2])
    with pytest.raises(sf.InvalidInput, match="at least 1"):
        features.TileCoding([0.0], [1.0], [-2])
    with pytest.raises(sf.InvalidInput, match="width 1 is 0"):
        features.NormalisedRadial([[0.0]], 0.0)
    with pytest.raises(sf.InvalidInput, match="2 widths for 1 coordinates"):
        features.NormalisedRadial([[0.0]], [1.0, 1.0])
    with pytest.raises(sf.InvalidInput, match="knot 2 of coordinate 1"):
        features.Hats([[0.0, 0.0]])
    hats = features.Hats([[0.0, 1.0]])
    with pytest.raises(sf.InvalidInput, match="coordinate 1 is nan"):
        hats([np.nan])
    with pytest.raises(sf.InvalidInput, match=r"accepted: \(1,\) or \(n, 1\)"):
        hats([[0.0, 1.0]])


LEARNERS = {
    "averager td": lambda d: sf.AveragerTd(d, "expectile:0.9", 0.9),
    "averaged": lambda d: sf.AveragerTd(d, "expectile:0.9", 0.9, average_from=10),
    "averager newton": lambda d: sf.AveragerNewton(d, "expectile:0.9", 0.9, warmup=5),
    "td": lambda d: sf.Td(d, "expectile:0.9", 0.9),
    "newton": lambda d: sf.Newton(d, "expectile:0.9", 0.9, warmup=2 * d),
}
learners = pytest.mark.parametrize("make", LEARNERS.values(), ids=LEARNERS.keys())


def path(steps: int) -> tuple[features.SparseFeatures, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    phi = MAPS["hats"].sparse(random.normal(size=(steps + 1, 2)))
    return phi, random.random(steps), random.random(steps) < 0.1


@learners
def test_sparse_features_give_the_same_bits(make) -> None:  # type: ignore[no-untyped-def]
    phi, cost, terminal = path(200)
    dense = phi.toarray()
    one, sparse, single, scipy = (make(phi.shape[1]) for _ in range(4))
    one.update_many(dense[:-1], cost, dense[1:], terminal)
    sparse.update_many(phi[:-1], cost, phi[1:], terminal)
    for i in range(200):
        if terminal[i]:
            single.update_terminal(phi[i], cost[i])
        else:
            single.update(phi[i], cost[i], phi[i + 1])
    matrix = pytest.importorskip("scipy.sparse").csr_matrix(
        (phi.data, phi.indices, phi.indptr), phi.shape
    )
    scipy.update_many(matrix[:-1], cost, matrix[1:], terminal)
    for other in (sparse, single, scipy):
        assert one.theta.tobytes() == other.theta.tobytes()
        assert (one.updates, one.status) == (other.updates, other.status)
    np.testing.assert_allclose(sparse.value(phi), sparse.value(dense), rtol=1e-12)
    np.testing.assert_allclose(sparse.value(matrix), sparse.value(phi), rtol=0)


@pytest.mark.parametrize("make", [LEARNERS["averager td"], LEARNERS["averager newton"]])
def test_averagers_are_copied_and_pickled(make) -> None:  # type: ignore[no-untyped-def]
    phi, cost, _ = path(100)
    learner = make(phi.shape[1])
    learner.update_many(phi[:-1], cost, phi[1:])
    for again in (copy.copy(learner), pickle.loads(pickle.dumps(learner))):
        assert type(again) is type(learner)
        assert again.theta.tobytes() == learner.theta.tobytes()
        again.update_many(phi[:-1], cost, phi[1:])
        assert again.updates == 200
    assert learner.updates == 100


def test_averagers_refuse_other_features() -> None:
    td = sf.AveragerTd(2, "mean", 0.9)
    with pytest.raises(sf.InvalidInput, match="feature 1 is -1; accepted by averagers"):
        td.update([-1.0, 0.5], 1.0, [1.0, 0.0])
    with pytest.raises(sf.InvalidInput, match="transition 1: next features sum to 1.5"):
        td.update_many([[1.0, 0.0]] * 2, [1.0, 1.0], [[1.0, 0.0], [1.0, 0.5]])
    assert td.updates == 1
    hats = features.Hats([[0.0, 1.0, 2.0]])
    with pytest.raises(sf.InvalidInput, match=r"phi has shape \(1, 3\); accepted: 2 columns"):
        td.update_many(hats.sparse([[0.0]]), [1.0], hats.sparse([[0.0]]))
    three = sf.AveragerTd(3, "mean", 0.9)
    with pytest.raises(sf.InvalidInput, match="accepted: both or none"):
        three.update_many(hats.sparse([[0.0]]), [1.0], [[1.0, 0.0, 0.0]])
    with pytest.raises(sf.InvalidInput, match="accepted: one"):
        three.update(hats.sparse([[0.0], [1.0]]), 1.0, hats.sparse([[0.0]]))


def test_sparse_features_are_rows() -> None:
    rows = MAPS["hats"].sparse(np.zeros((5, 2)))
    assert len(rows) == 5
    assert len(rows[1:3]) == 2
    assert rows[-1].shape == (1, 6)
    assert repr(rows) == "SparseFeatures(5 rows of 6 features, 10 active)"
    with pytest.raises(IndexError):
        rows[5]


def test_an_averager_settles_where_td_has_no_guarantee() -> None:
    drawn = sf.library.random_mdp(features=4, seed=1)
    chain = drawn.model.under_policy(drawn.policy)
    cells = features.Aggregation([x % 4 for x in range(chain.states)])
    assert not sf.check("expectile:0.99", 0.95).guaranteed
    found = sf.replicate(
        sf.AveragerTd(4, "expectile:0.99", 0.95),
        chain,
        cells(range(chain.states)),
        replications=3,
        record_at=[10_000],
    )
    assert (found.diverged == 0).all()
