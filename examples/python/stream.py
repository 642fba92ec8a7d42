"""Risk values from a stream of transitions that a generator yields, with a restart in between."""

import pickle
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

import shortfall as sf

Features = NDArray[np.float64]


def sensor(seed: int) -> Iterator[tuple[Features, float, Features]]:
    """A queue that is watched: features 1 and its length, cost its length with rare spikes."""
    random = np.random.default_rng(seed)
    length = 3.0
    while True:
        phi = np.array([1.0, length])
        spike = 20.0 if random.random() < 0.02 else 0.0
        cost = length + spike
        length = max(0.0, 0.8 * length + random.normal(0.6, 0.5))
        yield phi, cost, np.array([1.0, length])


# One transition at a time, in a microsecond: in a service, as they come.
calm = sf.Td(2, "mean", gamma=0.8, step=0.002)
wary = sf.Newton(2, "expectile:0.9", gamma=0.8)
for phi, cost, phi_next in islice(sensor(1), 20_000):
    calm.update(phi, cost, phi_next)
    wary.update(phi, cost, phi_next)

# A restart: a pickle holds all that was learned, and goes on with the same bits.
restored = pickle.loads(pickle.dumps(wary))
for phi, cost, phi_next in islice(sensor(2), 1000):
    wary.update(phi, cost, phi_next)
    restored.update(phi, cost, phi_next)
assert wary.theta.tobytes() == restored.theta.tobytes()
print(restored)

# In batches, without the interpreter, for what has been collected.
phis, costs, phi_nexts = map(np.array, zip(*islice(sensor(3), 100_000)))
for learner in (calm, wary):
    learner.update_many(phis, costs, phi_nexts)

now = np.array([1.0, 3.0])
print(f"with 3 in the queue: {calm.value(now):.2f} on average, {wary.value(now):.2f} to the wary")
assert wary.value(now) > calm.value(now)
