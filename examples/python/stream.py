"""Learn risk values from a stream of transitions, with a restart in between."""

import pickle
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

import shortfall as sf

Features = NDArray[np.float64]


def sensor(seed: int) -> Iterator[tuple[Features, float, Features]]:
    """A queue: the features are 1 and its length, the cost is its length plus rare spikes."""
    random = np.random.default_rng(seed)
    length = 3.0
    while True:
        phi = np.array([1.0, length])
        spike = 20.0 if random.random() < 0.02 else 0.0
        cost = length + spike
        length = max(0.0, 0.8 * length + random.normal(0.6, 0.5))
        yield phi, cost, np.array([1.0, length])


# One transition at a time, as a service receives them. An update takes about a microsecond.
neutral = sf.Td(2, "mean", gamma=0.8, step=0.002)
averse = sf.Newton(2, "expectile:0.9", gamma=0.8)
for phi, cost, phi_next in islice(sensor(1), 20_000):
    neutral.update(phi, cost, phi_next)
    averse.update(phi, cost, phi_next)

# A pickle contains the whole learner, so a restart gives identical results.
restored = pickle.loads(pickle.dumps(averse))
for phi, cost, phi_next in islice(sensor(2), 1000):
    averse.update(phi, cost, phi_next)
    restored.update(phi, cost, phi_next)
assert averse.theta.tobytes() == restored.theta.tobytes()
print(restored)

# Recorded transitions are learned in batches, at the speed of C++.
phis, costs, phi_nexts = map(np.array, zip(*islice(sensor(3), 100_000)))
for learner in (neutral, averse):
    learner.update_many(phis, costs, phi_nexts)

now = np.array([1.0, 3.0])
print(f"queue length 3: mean {neutral.value(now):.2f}, expectile:0.9 {averse.value(now):.2f}")
assert averse.value(now) > neutral.value(now)
