"""One rank, two ranks and two threads on the same computations, in one run.

    mpi_scaling.py BIN_DIRECTORY [PART...]     of inventory, sparse, band; without a name, all

Each computation is run with shortfall-mpi on one rank with one thread, on two ranks with one thread
each, and with shortfall on two threads, in turns. The table has medians of the seconds that the
documents state, the ratios, and the memory of the largest process. Documents must be equal but for
`seconds` and `ranks`.
"""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import numpy

ROUNDS = 3
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PLATELETS = pathlib.Path(__file__).parent.parent / "examples" / "platelets8.toml"


def write_model(binaries, path, columns, values, costs):
    """A model with rows of equal length, in binary; costs by state and action."""
    rows, length = columns.shape
    states, actions = costs.shape
    state, action = numpy.divmod(numpy.repeat(numpy.arange(rows), length), actions)
    table = path.with_suffix(".csv")
    numpy.savetxt(table, numpy.column_stack([state, action, columns.ravel(), values.ravel(),
                                             numpy.repeat(costs.ravel(), length)]),
                  fmt="%d,%d,%d,%.17g,%.17g", comments="",
                  header="idstatefrom,idaction,idstateto,probability,cost")
    subprocess.run([binaries / "shortfall", "convert", table, path], check=True,
                   capture_output=True)
    table.unlink()


def explicit_model(binaries, directory, name):
    """`sparse`: 10 000 states with 6 actions of 100 successors anywhere. `band`: 200 000 states with
    2 actions of 5 successors nearby, so that it takes long to get anywhere."""
    random = numpy.random.default_rng(1)
    states, actions, length = (10000, 6, 100) if name == "sparse" else (200000, 2, 5)
    rows = states * actions
    if name == "sparse":
        columns = numpy.sort(random.integers(0, states, (rows, length)), axis=1)
    else:
        here = numpy.repeat(numpy.arange(states), actions)[:, None]
        columns = numpy.sort((here + numpy.arange(-2, 3)) % states, axis=1)
    values = random.uniform(0.1, 1.0, (rows, length))
    values /= values.sum(axis=1, keepdims=True)
    costs = random.uniform(0.0, 10.0, (states, actions))
    model = directory / f"{name}.bin"
    write_model(binaries, model, columns, values, costs)
    return str(model)


def computations(binaries, directory, parts):
    if "inventory" in parts:
        for loss in ("mean", "expectile:0.4", "expectile:0.9"):
            yield (f"shelf life 8, static policy, {loss}",
                   ["inventory", "evaluate", str(PLATELETS), "--policy", "static", "--set",
                    f"risk.loss={loss}"])
    for name, gammas in (("sparse", ("0.99",)), ("band", ("0.99", "0.9999"))):
        if name not in parts:
            continue
        model = explicit_model(binaries, directory, name)
        for loss in ("mean", "expectile:0.9"):
            for gamma in gammas:
                yield (f"{name}, {loss}, γ = {gamma}",  # 1e-6 is beyond double precision at 0.9999
                       ["solve", model, "--loss", loss, "--gamma", gamma, "--tolerance", "1e-5"])


def run(command):
    """The document, without what may differ, its seconds, and the memory of the largest process."""
    child = os.fork()
    if child == 0:  # a process of its own, so that its children's memory is that of this run
        result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **MPI})
        if result.returncode != 0:
            print(result.stderr, file=sys.stderr)
            os._exit(1)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        pathlib.Path(run.result).write_text(json.dumps([json.loads(result.stdout), peak]))
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    document, peak = json.loads(pathlib.Path(run.result).read_text())
    seconds = document.pop("seconds")
    document.pop("ranks", None)
    return document, seconds, peak / 1024


def main():
    binaries = pathlib.Path(sys.argv[1])
    parts = sys.argv[2:] or ["inventory", "sparse", "band"]
    print(f"{'seconds':44} {'1 rank':>8} {'2 ranks':>8} {'threads':>8} {'1 / 2':>6} "
          f"{'2 / threads':>11} {'MB':>6} {'MB':>6}")
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        run.result = directory / "result.json"
        ways = {"one": ["mpirun", "-n", "1", binaries / "shortfall-mpi"],
                "two": ["mpirun", "-n", "2", "--bind-to", "core", binaries / "shortfall-mpi"],
                "threads": [binaries / "shortfall"]}
        for name, arguments in computations(binaries, directory, parts):
            seconds = {way: [] for way in ways}
            memory, documents = {}, []
            for _ in range(ROUNDS):
                for way, start in ways.items():
                    threads = "2" if way == "threads" else "1"
                    document, took, peak = run(
                        [*start, *arguments, "--threads", threads, "--json"])
                    seconds[way].append(took)
                    memory[way] = peak
                    documents.append(document)
            if any(document != documents[0] for document in documents):
                sys.exit(f"{name}: documents differ")
            one, two, threads = (statistics.median(seconds[way]) for way in ways)
            print(f"{name:44} {one:8.2f} {two:8.2f} {threads:8.2f} {one / two:6.2f} "
                  f"{two / threads:11.2f} {memory['one']:6.0f} {memory['two']:6.0f}", flush=True)


if __name__ == "__main__":
    main()
