"""A first result in Python, and that NumPy is all that was needed."""

import importlib.metadata
import sys

import numpy as np
import shortfall as sf

stay, move = np.eye(3), np.roll(np.eye(3), 1, axis=1)
model = sf.Mdp([stay, move], cost=[[2.0, 3.0], [1.0, 3.0], [0.0, 3.0]])
best = sf.solve(model, "expectile:0.9", gamma=0.95)
# Once in state 2, staying is free. From 0: move twice, 3 + 0.95 * 3; from 1: once, 3.
assert list(best.policy) == [1, 1, 0], best.policy
assert np.allclose(best.values, [5.85, 3.0, 0.0], atol=1e-6), best.values
state, cost, next_state, _ = model.under_policy([1, 1, 1]).sample(1000)
td = sf.Td(3, "expectile:0.9", gamma=0.95)
td.update_many(np.eye(3)[state], cost, np.eye(3)[next_state])
version = importlib.metadata.version("shortfall")
assert version == sf.__version__, (version, sf.__version__)
others = {name.split(".")[0] for name in sys.modules} & {"scipy", "pandas", "matplotlib", "torch"}
assert not others, others
print(
    f"Python {sys.version.split()[0]}, NumPy {np.__version__}, shortfall {version}: {best.status}"
)
