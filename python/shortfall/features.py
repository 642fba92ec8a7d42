"""Feature maps: from states or points to the rows that learners take.

A map is called with a state, or with many at once, and returns their features as an array.
`RandomRelu` and `RandomFourier` are random features of points, for `Td`, `TdLambda` and `Newton`.
The others are those that averagers accept: nonnegative, with a sum of 1. Their method `sparse`
returns only those that are not zero, which is what `AveragerTd` and `AveragerNewton` need to be
fast with thousands of features.

>>> import shortfall as sf
>>> tiles = sf.features.TileCoding([0.0, 0.0], [1.0, 1.0], [8, 8], tilings=8)
>>> td = sf.AveragerTd(tiles.dimension, "expectile:0.9", gamma=0.99)
>>> points = np.random.default_rng(1).random((1001, 2))
>>> phi = tiles.sparse(points)
>>> td.update_many(phi[:-1], points[:-1].sum(axis=1), phi[1:])
'not-settled'
>>> td.value(phi[:3]).shape
(3,)
"""

from ._core.features import (
    Aggregation,
    Hats,
    NormalisedRadial,
    RandomFourier,
    RandomRelu,
    SparseFeatures,
    TileCoding,
)

__all__ = [
    "Aggregation",
    "Hats",
    "NormalisedRadial",
    "RandomFourier",
    "RandomRelu",
    "SparseFeatures",
    "TileCoding",
]
