"""Runs shortfall and shortfall-mpi, and compares what they print."""

import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

SHORTFALL = SHORTFALL_MPI = MPIRUN = None  # set by mpi.py
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
TIME_LIMIT = 1200.0  # seconds per run: idle ranks do not sleep, and a busy machine must not fail the test

# Open MPI refuses to run as root, or with more ranks than cores, unless told otherwise. Ranks that
# wait leave their core to others, and mpirun adds no messages of its own.
ENVIRONMENT = {**os.environ,
               "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1",
               "OMPI_MCA_btl": "self,vader",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMPI_MCA_orte_execute_quiet": "1"}


def comparable(text):
    """A document without what may differ: the number of ranks, and times."""
    text = re.sub(r'^  "ranks": \d+,\n', "", text, count=1, flags=re.MULTILINE)
    text = re.sub(r'("seconds": )[-+.e0-9]+', r"\1*", text)
    text = re.sub(r"[0-9.]+ s$", "* s", text, flags=re.MULTILINE)
    # In a table, seconds are in the last column, whose width is that of the longest.
    return re.sub(r" +(?:[0-9]+\.[0-9]{3}|(s))$", r" *\1", text, flags=re.MULTILINE)


class Run:
    """A finished run."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds

    def messages(self):
        return [line for line in self.err.splitlines() if line.startswith("shortfall: ")]


class RanksTestCase(unittest.TestCase):
    maxDiff = 2000
    SECONDS_TO_KILL = "0"  # that mpirun gives ranks after SIGTERM, once one of them has failed

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="shortfall-mpi-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        sessions = tempfile.TemporaryDirectory(prefix="ompi-", ignore_cleanup_errors=True)
        self.addCleanup(sessions.cleanup)
        self.sessions = sessions.name

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def start(self, command, stdin=subprocess.DEVNULL, **options):
        """A process of its own session, so that all of it can be ended. Each mpirun has a folder of
        its own: in one that they share, one may remove what another has just made."""
        process = subprocess.Popen(
            [str(word) for word in command], cwd=self.folder, stdin=stdin,
            env={**ENVIRONMENT, "OMPI_MCA_odls_base_sigkill_timeout": self.SECONDS_TO_KILL,
                 "OMPI_MCA_orte_tmpdir_base": tempfile.mkdtemp(dir=self.sessions)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            **options)
        process.started = time.monotonic()
        return process

    def finish(self, process, text=None):
        try:
            out, err = process.communicate(text, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.fail(f"no end after {TIME_LIMIT} s: {process.args}\n{err}")
        return Run(process.returncode, out, err, time.monotonic() - process.started)

    def run_alone(self, arguments, text=None):
        """shortfall itself."""
        stdin = subprocess.DEVNULL if text is None else subprocess.PIPE
        return self.finish(self.start([SHORTFALL, *arguments], stdin=stdin), text)

    def run_ranks(self, count, arguments, text=None):
        return self.finish(self.start_ranks(count, arguments, text), text)

    def start_ranks(self, count, arguments, text=None):
        stdin = subprocess.DEVNULL if text is None else subprocess.PIPE
        return self.start([MPIRUN, "-n", count, SHORTFALL_MPI, *arguments], stdin=stdin)

    def run_different(self, *starts):
        """A rank for each start: what is put before `shortfall-mpi`, and its arguments."""
        command = [MPIRUN]
        for before, arguments in starts:
            command += [":"] if len(command) > 1 else []
            command += ["-n", "1", *before, SHORTFALL_MPI, *arguments]
        return self.finish(self.start(command))

    def run_side_by_side(self, runs):
        """Most of the time of a small run is that of starting it."""
        with concurrent.futures.ThreadPoolExecutor(max_workers=3) as workers:
            return list(workers.map(lambda run: run(), runs))

    def expect_same(self, expected, run, what):
        self.assertEqual(run.code, expected.code, f"{what}: {run.err}")
        if comparable(run.out) != comparable(expected.out):
            self.assertEqual(comparable(run.out)[:20000], comparable(expected.out)[:20000], what)
            self.fail(f"{what}: differs after the first 20000 characters")
        self.assertEqual(run.messages(), expected.messages(), what)

    def expect_same_documents(self, arguments, ranks_and_threads, text=None):
        """--json of shortfall, and of every number of ranks and threads."""
        arguments = [*arguments, "--json"]
        expected = self.run_alone(arguments, text)
        self.assertNotIn('"ranks"', expected.out)
        runs = self.run_side_by_side(
            [lambda count=count, threads=threads: self.run_ranks(
                count, [*arguments, "--threads", threads], text)
             for count, threads in ranks_and_threads])
        for (count, threads), run in zip(ranks_and_threads, runs):
            what = f"{count} ranks, {threads} threads: {' '.join(map(str, arguments))}"
            self.expect_same(expected, run, what)
            self.assertEqual(re.findall(r'^  "ranks": (\d+),$', run.out, re.MULTILINE),
                             [str(count)], what)
        return expected


def rank_processes(mpirun):
    """The processes of the ranks, by rank, once all catch SIGTERM."""
    deadline = time.monotonic() + TIME_LIMIT
    while time.monotonic() < deadline and mpirun.poll() is None:
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                status = dict(line.split(":", 1) for line in
                              (process / "status").read_text().splitlines())
                environment = (process / "environ").read_bytes().split(b"\0")
                catches = int(status["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1
            except (OSError, KeyError, ValueError):
                continue
            rank = [e for e in environment if e.startswith(b"OMPI_COMM_WORLD_RANK=")]
            if status["PPid"].strip() == str(mpirun.pid) and rank:
                found[int(rank[0].split(b"=")[1])] = (int(process.name), catches)
        sizes = [size for size in mpirun.args if str(size).isdigit()]
        if len(found) == int(sizes[0]) and all(catches for _, catches in found.values()):
            return {rank: number for rank, (number, _) in found.items()}
        time.sleep(0.02)
    raise AssertionError(f"the ranks did not start: {mpirun.args}")
