"""Define your own loss as a Python function."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import shortfall as sf


def hyperbolic(x: NDArray[np.float64]) -> Any:
    """A cost counts up to three times as much as a saving, with a smooth transition."""
    return 2 * x + np.sqrt(1 + x * x) - 1


# The bounds on its slope let solvers certify their error, and let `check` test convergence.
loss = sf.Loss(hyperbolic, slope_bounds=(1, 3), curvature=("convex", "convex"))

costs = np.array([31.0, 29.0, 33.0, 30.0, 88.0, 28.0, 34.0, 30.0, 32.0, 75.0])
print(f"mean {costs.mean():.2f}, risk {sf.risk(costs, None, loss):.2f}")
assert sf.risk(costs, None, loss) > costs.mean()

# The same loss in a decision process: a bet that can be repeated.
win, lose, out = 0, 1, 2
bet = np.array([[0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.0, 0.0, 1.0]])
stop = np.array([[0.0, 0.0, 1.0]] * 3)
pay = np.array([[-1.0, 1.2, 0.0]] * 3)  # costs, so a win is negative
model = sf.Mdp([bet, stop], cost=[pay, np.zeros((3, 3))])
for attitude in (sf.mean(), loss):
    best = sf.solve(model, attitude, gamma=0.9)
    choice = "bet" if best.policy[win] == 0 else "stop"
    print(f"{attitude!r:.60}: {choice}, value {best.values[win]:.4f} ± {best.error_bound:.1g}")
assert sf.solve(model, "mean", 0.9).policy[win] == 0
assert sf.solve(model, loss, 0.9).policy[win] == 1

conditions = sf.check(loss, gamma=0.3)
print(f"learning is proven to converge for gamma below {conditions.gamma_limit:.4f}")
assert conditions.guaranteed
