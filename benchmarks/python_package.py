"""Runs the Python package for the benchmarks, which send commands on standard input:

    ring D SIZE              then (SIZE + 1) * D features and SIZE costs as raw doubles
    theta ALGORITHM COUNT    prints a new learner's weights after the first COUNT transitions
    time ALGORITHM HOW SECONDS   continues for SECONDS, prints the seconds per update; HOW is
                             many (batches of the whole ring) or one (one update at a time)
    model N A                then for each of the A actions: N + 1 and n 32-bit integers (indptr and
                             indices), n probabilities and n costs
    values                   solves the model, prints the sum of its values
    solve SECONDS            builds the model from SciPy matrices and solves it, repeatedly for
                             SECONDS; prints the seconds per repetition

ALGORITHM is td or newton.
"""

import sys
import time

import numpy as np
import scipy.sparse as sp

import shortfall as sf

TAU = 0.9
GAMMA = 0.9


def read(count, kind=np.float64):
    kind = np.dtype(kind)
    return np.frombuffer(sys.stdin.buffer.read(kind.itemsize * count), dtype=kind).copy()


def seconds_of_one(work, seconds):
    """Seconds per unit of `work`, a function that returns how many units it did."""
    done = 0
    start = time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return elapsed / done


class Ring:
    def __init__(self, dimension, size):
        self.dimension, self.size = dimension, size
        self.features = read((size + 1) * dimension).reshape(size + 1, dimension)
        self.costs = read(size)
        self.rows = list(self.features)  # one vector per state, as a service has them
        self.cost_list = self.costs.tolist()
        self.learners = {name: self.learner(name) for name in ("td", "newton")}

    def learner(self, algorithm):
        if algorithm == "td":
            return sf.Td(self.dimension, sf.expectile(TAU), GAMMA)
        return sf.Newton(self.dimension, sf.expectile(TAU), GAMMA, warmup=4 * self.dimension)

    def theta(self, algorithm, count):
        learner = self.learner(algorithm)
        learner.update_many(self.features[:count], self.costs[:count], self.features[1 : count + 1])
        return learner.theta

    def learn_many(self, algorithm):
        learner = self.learners[algorithm]
        learner.update_many(self.features[:-1], self.costs, self.features[1:])
        return self.size

    def learn_one_by_one(self, algorithm):
        update = self.learners[algorithm].update
        rows = self.rows
        for i, cost in enumerate(self.cost_list):
            update(rows[i], cost, rows[i + 1])
        return self.size


class Matrices:
    def __init__(self, states, actions):
        self.transitions, self.costs = [], []
        for _ in range(actions):
            begin = read(states + 1, np.int32)
            indices = read(begin[-1], np.int32)
            for matrices in (self.transitions, self.costs):
                data = read(begin[-1])
                matrices.append(sp.csr_matrix((data, indices, begin), shape=(states, states)))

    def solve(self):
        model = sf.Mdp(self.transitions, cost=self.costs)
        return sf.solve(model, sf.expectile(TAU), 0.99, tolerance=1e-6)

    def solve_once(self):
        self.solve()
        return 1


def main():
    ring = matrices = None
    for line in iter(sys.stdin.buffer.readline, b""):
        command, *words = line.decode().split()
        if command == "ring":
            ring = Ring(*map(int, words))
        elif command == "theta":
            print(*map(repr, ring.theta(words[0], int(words[1])).tolist()), flush=True)
        elif command == "time":
            work = {"many": ring.learn_many, "one": ring.learn_one_by_one}[words[1]]
            print(repr(seconds_of_one(lambda: work(words[0]), float(words[2]))), flush=True)
        elif command == "model":
            matrices = Matrices(*map(int, words))
        elif command == "values":
            print(repr(float(matrices.solve().values.sum())), flush=True)
        elif command == "solve":
            print(repr(seconds_of_one(matrices.solve_once, float(words[0]))), flush=True)
        else:
            sys.exit(f"python_package: unknown command {command}")


if __name__ == "__main__":
    main()
