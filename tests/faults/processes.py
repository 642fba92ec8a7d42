"""What other processes, the shell and the clock do to a command while it runs:

    processes.py INJECT CLOCK SHORTFALL"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import unittest

from cases import UNJUDGED, Case, cases, stream
from injection import BAD_INPUT, Subject, leave_if_tracing_is_forbidden, read_files

INJECT, CLOCK, SHORTFALL = (os.path.abspath(path) for path in sys.argv[1:4])
LEARN = ("learn", "--loss", "expectile:0.7", "--gamma", "0.5", "--json", "--algorithm", "td",
         *UNJUDGED, "--checkpoint", "state")


def subject(case):
    return Subject(case, INJECT, SHORTFALL)


def at_the_same_time(count, action):
    """The results of `action`, called by `count` threads at once."""
    results, barrier = [None] * count, threading.Barrier(count)

    def run(k):
        barrier.wait()
        results[k] = action()
    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


class Together(unittest.TestCase):
    """Several processes with the same files."""

    def run_together(self, case, count):
        """The outcomes of several runs at once, and of the files that they leave."""
        alone = subject(case)
        folder = alone.folder()

        def run():
            return subprocess.run([SHORTFALL, *case.arguments], cwd=folder, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=1200)
        outcomes = at_the_same_time(count, run)
        for outcome in outcomes:
            message = outcome.stderr.decode()
            if outcome.returncode == 0:
                continue
            self.assertEqual(outcome.returncode, BAD_INPUT, message)
            self.assertIn("another run is using it; accepted: a separate file", message)
        return alone, folder, outcomes

    def test_one_checkpoint_has_one_run_at_a_time(self):
        case = Case("learn", (*LEARN, "--predictions", "predictions.csv", "rows.csv"),
                    {"rows.csv": stream(7000)}, resumes=("state",))
        for _ in range(5):
            alone, folder, outcomes = self.run_together(case, 4)
            self.assertIn(0, [outcome.returncode for outcome in outcomes])
            self.assertEqual(list(alone.problems_of_next(folder)), [])

    def test_one_output_has_the_bytes_of_one_run(self):
        for name in ("solve", "inventory-fit", "convert-binary", "study"):
            case = next(case for case in cases() if case.name == name)
            with self.subTest(name):
                alone, folder, outcomes = self.run_together(case, 6)
                self.assertEqual({outcome.returncode for outcome in outcomes}, {0})
                self.assertEqual(read_files(folder), alone.clean.files)

    def test_one_directory_has_one_study_at_a_time(self):
        case = next(case for case in cases() if case.name == "reproduce")
        alone, folder, outcomes = self.run_together(case, 3)
        self.assertIn(0, [outcome.returncode for outcome in outcomes])
        self.assertEqual(list(alone.problems_of_next(folder)), [])

    def test_a_lock_of_a_dead_process_does_not_count(self):
        case = Case("learn", (*LEARN, "rows.csv"), {"rows.csv": stream(500)})
        alone = subject(case)
        folder = alone.folder()
        (folder / ".state.lock").write_bytes(b"")
        self.assertEqual(list(alone.problems_of_next(folder)), [])

    def test_a_lock_is_free_once_its_process_is_killed(self):
        rows = stream(500, numbered=True)
        case = Case("learn", (*LEARN, "-"), {"rows.csv": rows}, stdin="rows.csv")
        alone = subject(case)
        folder = alone.folder()
        with subprocess.Popen([SHORTFALL, *case.arguments], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
            first.stdin.write(rows[:5000])
            first.stdin.flush()
            while not (folder / ".state.lock").exists():
                self.assertIsNone(first.poll())
            second = alone.execute(folder)
            self.assertEqual(second.code, BAD_INPUT)
            self.assertIn("state: another run is using it", second.err)
            first.send_signal(signal.SIGKILL)
        self.assertTrue((folder / ".state.lock").exists())
        self.assertEqual(list(alone.problems_of_next(folder)), [])


class Clock(unittest.TestCase):
    def test_a_clock_that_jumps_changes_no_byte(self):
        for case in cases():
            if case.name not in ("learn-new", "learn-pipe", "solve", "inventory-train", "study"):
                continue
            with self.subTest(case.name):
                alone = subject(case)
                outcome = alone.execute(alone.folder(), environment={"LD_PRELOAD": CLOCK})
                self.assertEqual(list(alone.differences(outcome)), [])
                self.assertNotRegex(outcome.err, r"(?<![\de])-\d", "a time below zero")


class Streams(unittest.TestCase):
    """Standard streams that are closed, full or not read."""

    def setUp(self):
        self.subjects = [subject(case) for case in cases() if case.quick or case.stdin]

    def expect_failure(self, alone, outcome, message):
        self.assertEqual(outcome.code, BAD_INPUT, outcome.err)
        self.assertIn(message, outcome.err)
        self.assertEqual(list(alone.problems_of_files(outcome)), [])

    def started_by(self, script, alone):
        folder = alone.folder()
        return alone.execute(folder, ("/bin/sh", "-c", f'exec "$0" "$@" {script}')), folder

    def test_closed_standard_output_is_refused(self):
        for alone in self.subjects:
            with self.subTest(alone.case.name):
                outcome, _ = self.started_by(">&-", alone)
                self.expect_failure(alone, outcome, "standard output is closed")
                self.assertEqual(outcome.files, alone.start)

    def test_full_standard_output_is_an_error(self):
        for alone in self.subjects:
            with self.subTest(alone.case.name):
                outcome, folder = self.started_by(">/dev/full", alone)
                self.expect_failure(alone, outcome, "standard output: No space left on device")
                self.assertEqual(list(alone.problems_of_next(folder)), [])

    def test_standard_output_that_nobody_reads_is_an_error(self):
        for alone in self.subjects:
            with self.subTest(alone.case.name):
                reader, writer = os.pipe()
                os.close(reader)
                folder = alone.folder()
                outcome = alone.execute(folder, stdout=writer)
                os.close(writer)
                self.expect_failure(alone, outcome, "standard output: Broken pipe")
                self.assertEqual(list(alone.problems_of_next(folder)), [])

    def test_standard_output_that_does_not_block_is_waited_for(self):
        case = Case("learn", ("learn", "--loss", "mean", "--gamma", "0.5", "--json", "--algorithm",
                              "td", *UNJUDGED, "--report-every", "1", "rows.csv"), {"rows.csv": stream(3000)})
        alone = subject(case)
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        self.assertGreater(len(alone.clean.out), 100_000)  # more than a pipe holds
        received = []

        def read():
            while part := os.read(reader, 1000):
                received.append(part)
        thread = threading.Thread(target=read)
        thread.start()
        outcome = alone.execute(alone.folder(), stdout=writer)
        os.close(writer)
        thread.join()
        os.close(reader)
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(b"".join(received), alone.clean.out)

    def test_closed_input_and_closed_or_full_standard_error_change_nothing(self):
        for alone in self.subjects:
            for streams in ("2>/dev/full", "2>&-", "2>&- <&-"):
                if alone.case.stdin and "<" in streams:
                    continue
                with self.subTest(alone.case.name + " " + streams):
                    outcome, _ = self.started_by(streams, alone)
                    self.assertEqual(list(alone.differences(outcome)), [])


class Changes(unittest.TestCase):
    """A file that another program changes while it is read: the result is that of the file before,
    or after, or a message that names it. Never a crash, and never a mixture."""

    READING = ("solve", "evaluate", "solve-binary", "convert-csv", "learn-ndjson",
               "inventory-fit", "inventory-solve", "inventory-order", "show-checkpoint")

    def results(self, alone, name, change):
        """Of the command on the file before and after."""
        folder = alone.folder()
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content * 2 if change == "grow" else
                                    content[:len(content) // 2])
        return [alone.clean, alone.execute(folder)]

    def check(self, alone, change):
        inputs = [name for name in alone.start if alone.start[name] == alone.clean.files.get(name)]
        calls = [(at, call, pathlib.Path(call.file).name)
                 for at, call in enumerate(alone.clean.calls, start=1)
                 if pathlib.Path(call.file).name in inputs]
        self.assertTrue(calls)
        expected = {name: self.results(alone, name, change) for name in inputs}
        for at, call, name in calls:
            with self.subTest(f"{alone.case.name}: {change} before call {at}, {call}"):
                folder = alone.folder()
                outcome = alone.run(folder, change, at)
                shutil.rmtree(folder.parent)
                same = [result for result in expected[name]
                        if (result.code, result.out) == (outcome.code, outcome.out)]
                if outcome.code == BAD_INPUT:
                    self.assertIn(name, outcome.err)
                    messages = [line for line in outcome.err.splitlines()
                                if line.startswith("shortfall: ")]
                    self.assertEqual(len(messages), 1, outcome.err)
                else:
                    self.assertTrue(same, f"{outcome.code}: {outcome.err}")

    def test_a_file_that_shrinks(self):
        for case in cases():
            if case.name in self.READING:
                self.check(subject(case), "shrink")

    def test_a_file_that_grows(self):
        for case in cases():
            if case.name in self.READING:
                self.check(subject(case), "grow")


if __name__ == "__main__":
    leave_if_tracing_is_forbidden(INJECT)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
