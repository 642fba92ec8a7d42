"""Inexact policy iteration with PETSc: improvements, and GMRES(30) to evaluate each policy.

    mpirun -n 2 petsc_solver.py PRECONDITIONER FOLDER TOLERANCE LIMIT GAMMA...

solves the model in FOLDER (see peer_process.hpp) for each discount factor, to TOLERANCE in every
state. PRECONDITIONER is one of PETSc's types. Each process has a range of states with all their
rows. The first process writes FOLDER/petsc-GAMMA.f64, the values, and prints GAMMA, the seconds of
the solution alone and the number of improvements; "inf" seconds if it took longer than LIMIT.
"""

import glob
import sys
import time

import numpy as np

# Where Debian's package is, unless the package for developers is there to say so.
sys.path += glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")
import petsc4py

petsc4py.init(sys.argv[:1])
from petsc4py import PETSc

COMM = PETSc.COMM_WORLD
ACCURACY = 1e-2  # of an evaluation, relative to the change by the improvement
INNER = 300  # the largest number of GMRES steps before the next improvement


def with_diagonal(begin, columns, entries, first):
    """Compressed rows with an entry in column first + i of each row i, if only zero: without it,
    PETSc would insert it whenever it computes I - gamma P."""
    row = np.repeat(np.arange(begin.size - 1, dtype=np.int32), np.diff(begin))
    has = np.zeros(begin.size - 1, dtype=bool)
    has[row[columns == row + first]] = True
    missing = np.flatnonzero(~has).astype(np.int32)
    row = np.concatenate([row, missing])
    columns = np.concatenate([columns, missing + first])
    entries = np.concatenate([entries, np.zeros(missing.size)])
    order = np.lexsort((columns, row))
    return np.bincount(row, minlength=has.size), columns[order], entries[order]


class Model:
    """Row a * own + i of this process is the law of action a in its i-th state; r has the expected
    costs."""

    def __init__(self, folder):
        n, terminal = (int(k) for k in np.fromfile(folder + "/size.i32", dtype=np.int32))
        begin = np.memmap(folder + "/begin.i32", np.int32, "r")
        successor = np.memmap(folder + "/next.i32", np.int32, "r")
        p = np.memmap(folder + "/p.f64", np.float64, "r")
        r = np.memmap(folder + "/r.f64", np.float64, "r").reshape(-1, n)
        first, last = COMM.rank * n // COMM.size, (COMM.rank + 1) * n // COMM.size
        self.terminal = terminal > 0
        self.own = last - first
        self.r = np.array(r[:, first:last])
        parts = []
        for a in range(len(r)):
            rows = begin[a * n + first : a * n + last + 1]
            outcomes = slice(rows[0], rows[-1])
            parts.append(with_diagonal(rows, successor[outcomes], p[outcomes], first))
        counts, columns, entries = (np.concatenate(part) for part in zip(*parts))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        self.P = PETSc.Mat().createAIJ(
            ((self.r.size, None), (self.own, n)), csr=(starts, columns, entries), comm=COMM
        )
        self.states = PETSc.IS().createStride(self.own, first, 1, comm=COMM)
        self.PV = self.P.createVecLeft()
        self.per_process = PETSc.Vec().createMPI((1, None), comm=COMM)

    def largest(self, number):
        """Of the numbers of all processes."""
        with self.per_process as own:
            own[0] = number
        return self.per_process.max()[1]

    def improve(self, V, gamma, TV):
        """Sets TV; the rows of the greedy policy, counted over all processes."""
        self.P.mult(V, self.PV)
        with self.PV as PV, TV as best:
            q = PV.reshape(self.r.shape)
            q *= gamma
            q += self.r
            best[:] = q[0]
            action = np.zeros(self.own, dtype=np.int32)
            for a in range(1, len(q)):
                better = q[a] < best
                best[better] = q[a][better]
                action[better] = a
        rows = action * self.own + np.arange(self.own, dtype=np.int32)
        return rows + self.P.getOwnershipRange()[0]

    def evaluation_matrix(self, rows, gamma):
        chosen = PETSc.IS().createGeneral(rows, comm=COMM)
        J = self.P.createSubMatrix(chosen, self.states)
        J.scale(-gamma)
        J.shift(1.0)
        return J


def solve(model, preconditioner, gamma, tolerance, limit):
    """V within the tolerance by the bounds of MacQueen, and the number of improvements; V is None
    beyond the limit."""
    begin = time.perf_counter()
    reach = gamma / (1.0 - gamma)
    V = model.P.createVecRight()
    TV, change, step = V.duplicate(), V.duplicate(), V.duplicate()
    ksp = PETSc.KSP().create(COMM)
    ksp.setType("gmres")
    ksp.setGMRESRestart(30)
    ksp.getPC().setType(preconditioner)
    ksp.setTolerances(rtol=ACCURACY, atol=0.1 * tolerance * (1.0 - gamma), max_it=INNER)
    rows = None
    for iteration in range(1, sys.maxsize):
        greedy = model.improve(V, gamma, TV)
        change.waxpy(-1.0, V, TV)
        low, high = change.min()[1], change.max()[1]
        if model.terminal:  # the values of terminal states are known, and cannot be shifted
            if reach * max(high, -low) <= tolerance:
                return TV, iteration
        elif reach * (high - low) / 2.0 <= tolerance:
            TV.shift(reach * (high + low) / 2.0)
            return TV, iteration
        if model.largest(time.perf_counter() - begin) > limit:
            return None, iteration
        if rows is None or model.largest(not np.array_equal(rows, greedy)):
            rows = greedy
            ksp.setOperators(model.evaluation_matrix(rows, gamma))
        ksp.solve(change, step)
        V.axpy(1.0, step)


def main(preconditioner, folder, tolerance, limit, *gammas):
    model = Model(folder)
    for gamma in gammas:
        seconds = float("inf")
        for attempt in range(3):  # the fastest of three, as for the other programs
            if attempt > 0 and model.largest(seconds) > 0.5:
                break
            COMM.barrier()
            begin = time.perf_counter()
            V, iterations = solve(
                model, preconditioner, float(gamma), float(tolerance), float(limit)
            )
            if V is None:
                break
            seconds = min(seconds, time.perf_counter() - begin)
            write(V, f"{folder}/petsc-{gamma}.f64")
        if COMM.rank == 0:
            print(gamma, seconds, iterations, flush=True)


def write(V, path):
    everything, vector = PETSc.Scatter.toZero(V)
    everything.scatter(V, vector)
    if COMM.rank == 0:
        vector.getArray().tofile(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
