"""What ranks compute and receive, and from that the time on more cores than this machine has.

    mpi_cost_model.py BIN_DIRECTORY [PART...]     of london, week, explicit; without a name, all

Each computation runs on 1, 2, 4 and 8 ranks with one thread each, more than there are cores, so
that elapsed time says nothing. Instead, a library between the program and MPI counts each rank's
processor time outside MPI, its collective calls and the bytes that it receives. The
processor time of all ranks is w(P) = divided + P · replicated, fitted by least squares; and on P cores

    T(P) = divided / P + replicated + calls · latency · log2 P + bytes(P) / bandwidth

with the latency and bandwidth of a cluster's network below, and bytes(P) = all · (1 - 1/P). Models are
small enough to be measured in minutes; docs/cluster.md applies what follows to larger ones.
"""

import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

from mpi_scaling import MPI, write_model

LATENCY = 2e-6  # seconds, per doubling of the ranks
BANDWIDTH = 1e10  # bytes per second and rank
RANKS = (1, 2, 4, 8)
ROOT = pathlib.Path(__file__).parent.parent


def random_model(binaries, directory, outcomes):
    """States with 10 actions of 10 successors anywhere."""
    random = numpy.random.default_rng(1)
    states = outcomes // 100
    rows = states * 10
    columns = numpy.sort(random.integers(0, states, (rows, 10), dtype=numpy.int32), axis=1)
    values = random.uniform(0.1, 1.0, (rows, 10))
    values /= values.sum(axis=1, keepdims=True)
    model = directory / "random.bin"
    write_model(binaries, model, columns, values, random.uniform(0.0, 10.0, (states, 10)))
    return str(model)


def computations(binaries, directory, parts):
    london = str(ROOT / "examples" / "london.toml")
    if "london" in parts:
        yield "London week, capacity 40, mean", [
            "inventory", "solve", london, "--set", "inventory.capacity=40", "--tolerance", "1e-3"]
    if "week" in parts:
        yield "platelet week, shelf life 8, capacity 14, expectile:0.9", [
            "inventory", "solve", str(ROOT / "examples" / "platelet_week.toml"), "--set",
            "inventory.capacity=14", "--set", "risk.loss=expectile:0.9"]
    if "explicit" in parts:
        model = random_model(binaries, directory, 10**7)
        for loss in ("mean", "expectile:0.9"):
            yield f"10⁷ outcomes, {loss}, γ = 0.99", [
                "solve", model, "--loss", loss, "--gamma", "0.99"]


def measure(binaries, directory, arguments, ranks):
    """One row per rank: processor seconds outside MPI and inside, calls, bytes received."""
    meter, counts = directory / "meter.so", directory / "meter.txt"
    if not meter.exists():
        subprocess.run(["mpicc", "-shared", "-fPIC", "-O2", "-o", meter,
                        pathlib.Path(__file__).parent / "mpi_meter.c"], check=True)
    subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-x", f"LD_PRELOAD={meter}",
                    "-x", f"MPI_METER={counts}", "-n", str(ranks), binaries / "shortfall-mpi",
                    *arguments, "--threads", "1", "--json"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, **MPI, "OMPI_MCA_mpi_yield_when_idle": "1"})
    return numpy.loadtxt(counts, ndmin=2)


def report(name, rows):
    print(f"\n{name}\n{'ranks':>6} {'compute, all':>13} {'largest':>8} {'calls':>7} {'MB each':>8}")
    for ranks, row in rows.items():
        print(f"{ranks:6} {row[:, 0].sum():13.2f} {row[:, 0].max():8.2f} {row[:, 2].max():7.0f} "
              f"{row[:, 3].max() / 1e6:8.1f}")
    counts = numpy.array(list(rows))
    work = numpy.array([row[:, 0].sum() for row in rows.values()])
    design = numpy.stack([numpy.ones(len(counts)), counts], axis=1)
    divided, replicated = numpy.linalg.lstsq(design, work, rcond=None)[0]
    last = rows[counts[-1]]
    calls = last[:, 2].max()
    all_bytes = last[:, 3].max() / (1 - 1 / counts[-1])
    print(f"divided {divided:.2f} s, on every rank {replicated:.3f} s", flush=True)
    for cores in (16, 64):
        sent = calls * LATENCY * math.log2(cores) + all_bytes * (1 - 1 / cores) / BANDWIDTH
        seconds = divided / cores + replicated + sent
        print(f"predicted on {cores} cores: {seconds:.3g} s, {work[0] / seconds:.1f} times as fast "
              f"as one ({sent:.2g} s for messages)", flush=True)


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    parts = sys.argv[2:] or ["london", "week", "explicit"]
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        for name, arguments in computations(binaries, directory, parts):
            report(name, {ranks: measure(binaries, directory, arguments, ranks)
                          for ranks in RANKS})


if __name__ == "__main__":
    main()
