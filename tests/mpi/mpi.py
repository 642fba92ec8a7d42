"""Tests of shortfall-mpi: mpi.py SHORTFALL SHORTFALL_MPI MPIRUN [TEST..]

Whatever it prints and writes must have the same bytes as what shortfall does, for any number of
ranks and threads, but for "seconds" and "ranks" (documents.py). Whatever fails on one rank ends all
of them, with one message and the exit code of shortfall (faults.py). Ranks share the memory of a
model (memory.py). Every run has a time limit.
"""

import sys
import unittest

import ranks

if __name__ == "__main__":
    ranks.SHORTFALL, ranks.SHORTFALL_MPI, ranks.MPIRUN = sys.argv[1:4]
    suite = unittest.defaultTestLoader.loadTestsFromNames(
        sys.argv[4:] or ["documents", "faults", "memory"])
    outcome = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if outcome.wasSuccessful() else 1)
