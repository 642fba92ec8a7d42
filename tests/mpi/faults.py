"""What goes wrong on one rank or on all ends all ranks, with one message and one exit code."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

from models import INVENTORY, LARGE, TURNS, TURNS_ARGUMENTS, random_model
from ranks import TIME_LIMIT, RanksTestCase, rank_processes


class Faults(RanksTestCase):
    """Each run ends: a rank that hangs would meet the limit of finish()."""

    def setUp(self):
        super().setUp()
        self.model = self.write("model.csv", random_model(100))
        self.criterion = ["--loss", "mean", "--gamma", "0.9"]

    def expect_failure(self, run, code, message):
        self.assertEqual(run.code, code, run.err)
        self.assertEqual(len(run.messages()), 1, run.err)
        self.assertIn(message, run.messages()[0])
        self.assertEqual(run.out, "")

    def expect_same_failure(self, alone, together):
        """As shortfall fails, but for the name of the program."""
        self.assertNotEqual(alone.code, 0)
        self.assertEqual(together.code, alone.code, together.err)
        messages = [text.replace("shortfall-mpi", "shortfall") for text in together.messages()]
        self.assertEqual(messages, alone.messages())
        self.assertEqual(len(messages), 1)

    def test_bad_usage_and_bad_input_are_told_once(self):
        self.write("bad.csv", "idstatefrom,idaction,idstateto,probability,cost\n0,0,0,1.5,1\n")
        self.write("bad.toml", "[inventory]\nshelf_life = 0\n")
        # If different ranks find two faults, the first in the file is reported.
        self.write("bad-policy.csv", "idstate,idaction\n0,0\n99,9\n1,9\n")
        self.write("short-policy.csv", "idstate,idaction\n0,0\n99,0\n")
        self.write("stock.toml", INVENTORY)
        solve = ["solve", "model.csv", *self.criterion]
        commands = (
            ["solve", "model.csv", "--loss", "nonsense", "--gamma", "0.9"],
            ["solve", "model.csv", "--loss", "mean", "--gamma", "1.5"],
            [*solve, "--no-such-option"],
            ["solve", "missing.csv", *self.criterion],
            ["solve", "bad.csv", *self.criterion],
            *(["evaluate", "model.csv", "--policy", f"{name}.csv", *self.criterion]
              for name in ("missing", "bad-policy", "short-policy", "bad")),
            [*solve, "--policy-out", "no/such/folder.csv"],
            [*solve, "--state-names", "missing.csv"],
            ["inventory", "solve", "bad.toml"],
            ["inventory", "evaluate", "bad.toml", "--policy", "nonsense"],
            # If different ranks refuse two points, the first is reported.
            ["inventory", "evaluate", "stock.toml", "--policy", "reorder:3,12", "--sweep",
             "inventory.capacity=12,13,11,10"])
        together = self.run_side_by_side(
            [lambda arguments=arguments: self.run_ranks(3, arguments) for arguments in commands])
        for arguments, run in zip(commands, together):
            with self.subTest(arguments=arguments):
                self.expect_same_failure(self.run_alone(arguments), run)
        self.assertEqual(self.files(), ["bad-policy.csv", "bad.csv", "bad.toml", "model.csv",
                                        "short-policy.csv", "stock.toml"])

    def test_other_commands_are_those_of_shortfall(self):
        self.expect_failure(self.run_ranks(2, ["learn"]), 2,
                            "unknown command 'learn'; accepted: solve, evaluate, inventory")

    def test_no_answer_is_an_exit_code_and_a_document(self):
        arguments = ["solve", "model.csv", *self.criterion, "--max-iterations", "1", "--method",
                     "value-iteration", "--json"]
        alone = self.run_alone(arguments)
        self.assertEqual(alone.code, 1)
        self.expect_same(alone, self.run_ranks(3, arguments), "one iteration")

    def test_a_file_that_cannot_be_written_leaves_the_document(self):
        arguments = ["solve", "model.csv", *self.criterion, "--policy-out", "/dev/full", "--json"]
        alone = self.run_alone(arguments)
        self.assertEqual(alone.code, 2)
        self.expect_same(alone, self.run_ranks(3, arguments), "a full device")

    def test_ranks_with_other_arguments_end_at_once(self):
        run = self.run_different(([], ["solve", self.model, *self.criterion]),
                                 ([], ["solve", self.model, *self.criterion]),
                                 ([], ["solve", self.model, *self.criterion, "--json"]))
        self.expect_failure(run, 2, "rank 2 was started with different arguments from rank 0")

    def test_ranks_on_different_processors_give_the_same_bytes(self):
        """As far as the C library goes, which chooses its functions by processor."""
        other = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable"
        values = [subprocess.run(
            [sys.executable, "-c", "import math; print([math.exp(k / 977) for k in range(9999)])"],
            env={"GLIBC_TUNABLES": tunables}, capture_output=True, check=True).stdout
            for tunables in ("", other)]
        if values[0] == values[1]:
            self.skipTest("the C library has no other functions for this processor")
        arguments = ["solve", self.model, *self.criterion, "--json"]
        run = self.run_different(([], arguments), (["-x", f"GLIBC_TUNABLES={other}"], arguments))
        self.expect_same(self.run_alone(arguments), run, "other functions")

    def different_folders(self, arguments, first, second):
        """Rank 0 in one folder, rank 1 in another, with these files."""
        for folder, files in (("first", first), ("second", second)):
            (self.folder / folder).mkdir(exist_ok=True)
            for name, text in files.items():
                self.write(f"{folder}/{name}", text)
        return self.run_different(*((["-wdir", str(self.folder / folder)], arguments)
                                    for folder in ("first", "second")))

    def test_a_rank_that_cannot_read_its_part_ends_all(self):
        model = random_model(100)
        run = self.different_folders(["solve", "model.csv", *self.criterion],
                                     {"model.csv": model}, {})
        self.expect_failure(run, 2, "model.csv")
        run = self.different_folders(["inventory", "solve", "stock.toml"], {},
                                     {"stock.toml": INVENTORY})
        self.expect_failure(run, 2, "stock.toml")

    def test_ranks_that_read_different_files_end(self):
        run = self.different_folders(["solve", "model.csv", *self.criterion],
                                     {"model.csv": random_model(100, seed=1)},
                                     {"model.csv": random_model(100, seed=2)})
        self.expect_failure(run, 2, "model.csv: rank 1 has read different contents from rank 0")
        run = self.different_folders(["solve", "model.csv", *self.criterion],
                                     {"model.csv": random_model(100)},
                                     {"model.csv": random_model(90)})
        self.expect_failure(run, 2, "model.csv: rank 1 has read different contents from rank 0")
        policy = "idstate,idaction\n0,0\n1,0\n"
        run = self.different_folders(
            ["evaluate", "turns.csv", "--policy", "policy.csv", *self.criterion],
            {"turns.csv": TURNS, "policy.csv": policy},
            {"turns.csv": TURNS, "policy.csv": policy.replace("1,0", "1,00")})
        self.expect_failure(run, 2, "policy.csv: rank 1 has read different contents from rank 0")
        run = self.different_folders(
            ["inventory", "solve", "stock.toml"], {"stock.toml": INVENTORY},
            {"stock.toml": INVENTORY.replace("shortage = 6", "shortage = 7")})
        self.expect_failure(run, 2, "stock.toml: rank 1 has read different contents from rank 0")

    def test_ranks_compare_a_policy_before_they_would_spread_a_sweep(self):
        stock = self.write("stock.toml", INVENTORY)
        self.run_alone(["inventory", "solve", stock, "--policy-out", "orders.csv"])
        orders = (self.folder / "orders.csv").read_text()
        files = {"stock.toml": INVENTORY, "orders.csv": orders}
        header, empty, rest = orders.split("\n", 2)
        other = {**files, "orders.csv": f"{header}\n{empty[:empty.rindex(',')]},1\n{rest}"}
        run = self.different_folders(["inventory", "evaluate", "stock.toml", "--policy", "orders.csv",
                                      "--sweep", "risk.tau=0.2,0.8"], files, other)
        self.expect_failure(run, 2, "orders.csv: rank 1 has read different contents from rank 0")

    def test_a_rank_without_memory_ends_all(self):
        # Planned: what a rank needs is known before it is allocated.
        arguments = ["inventory", "solve", self.write("large.toml", LARGE), "--threads", "1"]
        script = 'ulimit -v "$1"; shift; exec "$@"'
        run = self.run_different(([], arguments), (["sh", "-c", script, "sh", "400000"], arguments))
        self.expect_failure(run, 2, "of memory on each of 2 ranks")
        # Not planned: rank 1 gets no more while others wait for it.
        self.write("model.csv", random_model(20000))
        mpirun = self.start_ranks(3, ["solve", "model.csv", "--loss", "mean", "--sweep",
                                      "gamma=0.5:0.9:0.0001", "--threads", "1"])
        processes = rank_processes(mpirun)
        time.sleep(0.2)
        resource.prlimit(processes[1], resource.RLIMIT_AS, (1 << 20, 1 << 20))
        self.expect_failure(self.finish(mpirun), 1, "out of memory")
        # The same where each rank has points of its own, and the others do not wait for it.
        mpirun = self.start_ranks(3, [*self.long_sweep(), "--json"])
        processes = rank_processes(mpirun)
        time.sleep(0.5)
        resource.prlimit(processes[1], resource.RLIMIT_AS, (1 << 20, 1 << 20))
        self.expect_failure(self.finish(mpirun), 1, "out of memory")

    def long_sweep(self):
        """Some hundred points, which take a minute."""
        stock = self.write("stock.toml", INVENTORY.replace("capacity = 9", "capacity = 40"))
        return ["inventory", "solve", stock, "--sweep", "risk.tau=0.1:0.9:0.002", "--threads", "1"]

    def test_a_signal_to_one_rank_ends_a_sweep_whose_points_are_spread(self):
        mpirun = self.start_ranks(3, [*self.long_sweep(), "--json"])
        processes = rank_processes(mpirun)
        time.sleep(0.5)
        os.kill(processes[2], signal.SIGTERM)
        self.expect_failure(self.finish(mpirun), 1, "stopped by a signal")


class Signals(RanksTestCase):
    SECONDS_TO_KILL = "1"  # the default
    POLICY = "idstate,idaction\n0,0\n1,0\n"

    def setUp(self):
        super().setUp()
        self.model = self.write("turns.csv", TURNS)

    def signal_all(self, cases):
        """For each signal and target, a rank or mpirun: the run that it ended, and its policy."""
        return self.run_side_by_side([lambda case=case: self.start_and_signal(*case)
                                      for case in cases])

    def start_and_signal(self, number, target):
        policy = f"policy-{number}-{target}.csv"
        mpirun = self.start_ranks(3, ["solve", self.model, *TURNS_ARGUMENTS, "--policy-out", policy,
                                      "--json"])
        processes = rank_processes(mpirun)
        time.sleep(0.3)
        os.kill(processes.get(target, mpirun.pid), number)
        run = self.finish(mpirun)
        deadline = time.monotonic() + TIME_LIMIT
        while any(os.path.exists(f"/proc/{p}") for p in processes.values()):
            self.assertLess(time.monotonic(), deadline, "a rank is left behind")
            time.sleep(0.05)
        run.policy = self.folder / policy
        return run

    def test_a_signal_to_any_rank_stops_all_with_what_they_have(self):
        # mpirun passes SIGUSR1 on to all ranks.
        for run in self.signal_all([(signal.SIGTERM, 1), (signal.SIGINT, 0),
                                    (signal.SIGUSR1, "mpirun")]):
            self.assertEqual(run.code, 1, run.err)
            self.assertEqual(len(run.messages()), 1, run.err)
            self.assertIn("stopped by a signal; values are within", run.messages()[0])
            document = json.loads(run.out)
            self.assertEqual(document["status"], "stopped")
            exact = 1 / (1 - 0.9999999 ** 2)
            self.assertAlmostEqual(document["values"][1], exact, delta=document["error_bound"])
            self.assertLess(document["error_bound"], exact)
            self.assertEqual(run.policy.read_text(), self.POLICY)

    def test_a_signal_to_mpirun_stops_all(self):
        """mpirun then closes their output, so that only files are whole."""
        for run in self.signal_all([(signal.SIGTERM, "mpirun"), (signal.SIGINT, "mpirun")]):
            self.assertNotEqual(run.code, 0)
            self.expect_whole_files(run)

    def test_killing_a_rank_ends_the_others(self):
        for run in self.signal_all([(signal.SIGKILL, 0), (signal.SIGKILL, 2)]):
            self.assertNotEqual(run.code, 0)
            self.assertEqual(run.out, "")
            self.expect_whole_files(run)

    def expect_whole_files(self, run):
        """A policy may be there, complete; no temporary file is."""
        for name in self.files():
            self.assertRegex(name, r"^(turns|policy-[0-9]+-[a-z0-9]+)\.csv$")
        if run.policy.exists():
            self.assertEqual(run.policy.read_text(), self.POLICY)
