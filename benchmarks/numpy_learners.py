"""Straightforward Python versions of UBSR-TD and UBSR-Newton for the expectile.

The NumPy versions are Python loops around array operations. The Numba versions are compiled loops
over all transitions. The benchmarks start this program and control it through commands on standard
input, so that it takes turns with the other contestants:

    ring D SIZE WARMUP                  then (SIZE + 1) * D features and SIZE costs as raw doubles;
                                        resets all learners
    learn ALGORITHM LIBRARY COUNT       learns from the next COUNT transitions of the ring, prints theta
    time ALGORITHM LIBRARY SECONDS      continues for SECONDS, prints the seconds per update

ALGORITHM is td or newton, LIBRARY is numpy or numba.
"""

import sys
import time

import numpy as np
from numba import njit

TAU = 0.9
GAMMA = 0.9


def slope_of(delta):
    return TAU if delta > 0.0 else 1.0 - TAU


def step_size(n):
    return 2.0 / (n + 100.0) ** (2.0 / 3.0)


class NumpyTd:
    def __init__(self, ring):
        self.ring = ring
        self.theta = np.zeros(ring.dimension)
        self.n = 0

    def learn(self, transitions):
        for t in transitions:
            phi, phi_next = self.ring.features[t], self.ring.features[t + 1]
            delta = self.ring.costs[t] + GAMMA * (phi_next @ self.theta) - phi @ self.theta
            self.theta += (step_size(self.n) * slope_of(delta) * delta) * phi
            self.n += 1


class NumpyNewton:
    def __init__(self, ring):
        d = ring.dimension
        self.ring = ring
        self.theta, self.theta_sum, self.loss_sum = np.zeros(d), np.zeros(d), np.zeros(d)
        self.sum = np.zeros((d, d))
        self.inverse = None
        self.n = 0

    def learn(self, transitions):
        for t in transitions:
            x = self.ring.features[t]
            z = GAMMA * self.ring.features[t + 1] - x
            delta = self.ring.costs[t] + z @ self.theta
            slope = slope_of(delta)
            self.n += 1
            self.theta_sum += self.theta
            self.loss_sum += (slope * delta) * x
            if self.n <= self.ring.warmup:
                self.sum += np.outer(slope * x, z)
                if self.n == self.ring.warmup:
                    self.inverse = np.linalg.inv(self.sum)
                continue
            u = self.inverse @ x
            v = z @ self.inverse
            self.inverse -= np.outer((slope / (1.0 + slope * (z @ u))) * u, v)
            self.theta = self.theta_sum / self.n - self.inverse @ self.loss_sum


fast = njit(fastmath=True)
compiled_slope_of = fast(slope_of)
compiled_step_size = fast(step_size)


@fast
def compiled_td(features, costs, transitions, theta, n):
    d = theta.size
    for t in transitions:
        now = 0.0
        following = 0.0
        for i in range(d):
            now += features[t, i] * theta[i]
            following += features[t + 1, i] * theta[i]
        delta = costs[t] + GAMMA * following - now
        scale = compiled_step_size(n) * compiled_slope_of(delta) * delta
        for i in range(d):
            theta[i] += scale * features[t, i]
        n += 1
    return n


@fast
def compiled_newton(features, costs, transitions, state, inverse, n):
    d = inverse.shape[0]
    theta, theta_sum, loss_sum, z, u, v = state
    for t in transitions:
        x = features[t]
        delta = costs[t]
        for i in range(d):
            z[i] = GAMMA * features[t + 1, i] - x[i]
            delta += z[i] * theta[i]
        slope = compiled_slope_of(delta)
        n += 1
        zu = 0.0
        for i in range(d):
            theta_sum[i] += theta[i]
            loss_sum[i] += slope * delta * x[i]
            v[i] = 0.0
        for i in range(d):
            sum_x = 0.0
            for j in range(d):
                sum_x += inverse[i, j] * x[j]
                v[j] += z[i] * inverse[i, j]
            u[i] = sum_x
            zu += z[i] * sum_x
        scale = slope / (1.0 + slope * zu)
        for i in range(d):
            root = 0.0
            for j in range(d):
                inverse[i, j] -= scale * u[i] * v[j]
                root += inverse[i, j] * loss_sum[j]
            theta[i] = theta_sum[i] / n - root
    return n


class NumbaTd(NumpyTd):
    def learn(self, transitions):
        self.n = compiled_td(
            self.ring.features, self.ring.costs, transitions, self.theta, self.n
        )


class NumbaNewton(NumpyNewton):
    """Warms up with NumPy, because the warm-up is not timed."""

    def learn(self, transitions):
        waiting = max(self.ring.warmup - self.n, 0)
        super().learn(transitions[:waiting])
        if transitions[waiting:].size == 0:
            return
        if waiting:
            z, u, v = np.zeros((3, self.ring.dimension))
            self.state = (self.theta, self.theta_sum, self.loss_sum, z, u, v)
        self.n = compiled_newton(
            self.ring.features,
            self.ring.costs,
            transitions[waiting:],
            self.state,
            self.inverse,
            self.n,
        )


LEARNERS = {
    ("td", "numpy"): NumpyTd,
    ("td", "numba"): NumbaTd,
    ("newton", "numpy"): NumpyNewton,
    ("newton", "numba"): NumbaNewton,
}


class Ring:
    """Transition t uses feature rows t and t + 1; the last of size + 1 rows repeats the first."""

    def __init__(self, dimension, size, warmup):
        def read(count):
            return np.frombuffer(sys.stdin.buffer.read(8 * count), dtype=np.float64).copy()

        self.dimension, self.size, self.warmup = dimension, size, warmup
        self.features = read((size + 1) * dimension).reshape(size + 1, dimension)
        self.costs = read(size)
        self.learners = {}

    def learn(self, which, count):
        """Return the learner after `count` more transitions."""
        if which not in self.learners:
            self.learners[which] = LEARNERS[which](self)
        learner = self.learners[which]
        learner.learn((learner.n + np.arange(count)) % self.size)
        return learner

    def seconds_per_update(self, which, seconds):
        count, updates = 1, 0
        start = time.perf_counter()
        while True:
            self.learn(which, count)
            updates += count
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return elapsed / updates
            # Chunks of a tenth of the time, so that reading the clock costs next to nothing.
            count = max(1, int(0.1 * seconds * updates / elapsed))


def main():
    ring = None
    for line in iter(sys.stdin.buffer.readline, b""):
        command, *words = line.decode().split()
        if command == "ring":
            ring = Ring(*map(int, words))
        elif command == "learn":
            theta = ring.learn((words[0], words[1]), int(words[2])).theta
            print(*map(repr, theta.tolist()), flush=True)
        elif command == "time":
            print(repr(ring.seconds_per_update((words[0], words[1]), float(words[2]))), flush=True)
        else:
            sys.exit(f"numpy_learners: unknown command {command}")


if __name__ == "__main__":
    main()
