"""Modified policy iteration with SciPy, as a user would write it for one large model.

    scipy_solver.py FOLDER TOLERANCE LIMIT GAMMA...

solves the model in FOLDER (see peer_process.hpp) for each discount factor, to TOLERANCE in every
state. For each it writes FOLDER/scipy-GAMMA.f64, the values, and prints GAMMA, the seconds of the
solution alone and the number of improvements; "inf" seconds if it took longer than LIMIT seconds.
"""

import sys
import time

import numpy as np
from scipy.sparse import csr_matrix

EVALUATE = 0.1  # evaluate a policy until the span is this fraction of the improvement's,
SWEEPS = 200  # or for this many sweeps


class Model:
    """Row a * states + x of P is the law of action a in state x, and r has the expected costs:
    infinite for an action that the state does not have. A terminal state has an empty row and
    costs 0."""

    def __init__(self, folder):
        states, terminal = (int(k) for k in np.fromfile(folder + "/size.i32", dtype=np.int32))
        self.states = states
        self.terminal = terminal > 0
        self.r = np.fromfile(folder + "/r.f64").reshape(-1, states)
        self.P = csr_matrix(
            (
                np.fromfile(folder + "/p.f64"),
                np.fromfile(folder + "/next.i32", dtype=np.int32),
                np.fromfile(folder + "/begin.i32", dtype=np.int32),
            ),
            shape=(self.r.size, states),
        )

    def improve(self, V, gamma):
        """TV and the rows of the greedy policy."""
        q = (self.P @ V).reshape(self.r.shape)
        q *= gamma
        q += self.r
        TV = q[0].copy()
        action = np.zeros(self.states, dtype=np.intp)
        for a in range(1, len(q)):
            better = q[a] < TV
            TV[better] = q[a][better]
            action[better] = a
        return TV, action * self.states + np.arange(self.states)


def solve(model, gamma, tolerance, deadline):
    """V within the tolerance by the bounds of MacQueen, and the number of improvements; V is None
    after the deadline."""
    reach = gamma / (1.0 - gamma)
    V = np.zeros(model.states)
    rows = None
    for iteration in range(1, sys.maxsize):
        TV, greedy = model.improve(V, gamma)
        change = TV - V
        low, high = change.min(), change.max()
        if model.terminal:  # the values of terminal states are known, and cannot be shifted
            if reach * max(high, -low) <= tolerance:
                return TV, iteration
        elif reach * (high - low) / 2.0 <= tolerance:
            return TV + reach * (high + low) / 2.0, iteration
        if rows is None or not np.array_equal(rows, greedy):
            rows = greedy
            P, r = model.P[rows], model.r.ravel()[rows]
        # Sweeps of this policy until the span has fallen well below that of the improvement.
        enough = EVALUATE * (high - low)
        V = TV
        for sweep in range(SWEEPS):
            W = P @ V
            W *= gamma
            W += r
            V -= W
            span = V.max() - V.min()
            V = W
            if span <= enough:
                break
            if sweep % 10 == 0 and time.perf_counter() > deadline:
                return None, iteration
        if time.perf_counter() > deadline:
            return None, iteration


def main(folder, tolerance, limit, *gammas):
    model = Model(folder)
    for gamma in gammas:
        seconds = float("inf")
        for attempt in range(3):  # the fastest of three, as for the other programs
            if attempt > 0 and seconds > 0.5:
                break
            begin = time.perf_counter()
            V, iterations = solve(model, float(gamma), float(tolerance), begin + float(limit))
            if V is None:
                break
            seconds = min(seconds, time.perf_counter() - begin)
            V.tofile(f"{folder}/scipy-{gamma}.f64")
        print(gamma, seconds, iterations, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
