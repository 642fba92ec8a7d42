"""Learning a stream while everything goes wrong that may go wrong: what both sources have in common.

Where things happen is drawn before, by line of the stream, so that a seed repeats the schedule; the
clock decides only how far a learner has come by then."""

import json
import os
import random
import signal
import subprocess

from learner import Learner, Problem

CHECKPOINT = "state"
NO_ANSWER, BAD_INPUT = 1, 2
WEIGHTS = {"kill": 8, "hup": 2, "terminate": 3, "interrupt": 3, "pause": 3, "second": 2, "cut": 3,
           "restart": 2, "full": 4, "read_only": 2}


def schedule(seed, lines, events):
    """Lines, increasing, and what happens there. Each kind happens at least once if there are as
    many events as kinds."""
    draw = random.Random(seed)
    kinds = list(WEIGHTS)[:events]
    kinds += draw.choices(list(WEIGHTS), WEIGHTS.values(), k=events - len(kinds))
    draw.shuffle(kinds)
    return list(zip(sorted(draw.sample(range(1, lines), events)), kinds))


class Disturbed:
    """A stream, learned with interruptions. `run` returns how many lines it had."""

    def __init__(self, job, place):
        self.job, self.place = job, place
        self.draw = random.Random(job.seed)
        self.learner, self.starts = None, 0
        self.saved_lines, self.sent = 0, 0  # of the checkpoint; the most that were ever sent
        self.reports = {}

    def command(self, *more):
        return [*self.job.command(), "--checkpoint-every", str(self.job.saving), *more]

    def launch(self, *more, piped):
        self.starts += 1
        self.job.count("restarts", int(self.starts > 1))
        out = self.job.folder / "out"
        self.learner = Learner(self.command(*more), self.place.folder, out, piped)

    def run(self):
        for line, kind in self.job.schedule:
            if self.sent > 0 and self.job.is_over():
                break
            self.advance(line)
            getattr(self, kind)()
            self.look()
            self.follow()
        else:
            self.advance(self.job.lines)
        self.finish()
        self.look(is_end=True)
        return self.sent

    def finish_learner(self, *accepted):
        """Waits for its end; the exit code must be one of `accepted`."""
        learner, self.learner = self.learner, None
        code = learner.end()
        if code == NO_ANSWER and learner.notices()[-1].get("status") == "warming-up":
            code = 0
        self.job.see_memory(learner)
        if code not in accepted:
            raise Problem(f"exit code {code}, expected: {accepted}; it said {learner.said[-2000:]}")
        if code == BAD_INPUT and not learner.has_said("error"):
            raise Problem(f"exit code {code} without a message: {learner.said[-2000:]}")
        if self.job.configuration.reports:
            self.take_reports(learner.out)
        if code >= 0:
            self.check_no_locks()
        return code

    def take_reports(self, out):
        """A report that is printed again after a restart has the same bytes."""
        for line in out.read_bytes().splitlines(keepends=True):
            if b'"algorithm"' in line or b'"stopped_by"' in line or not line.endswith(b"\n"):
                continue
            if self.reports.setdefault(json.loads(line)["updates"], line) != line:
                raise Problem(f"another report after a restart: {line}")

    def check_no_locks(self):
        left = [name for name in os.listdir(self.place.folder) if name.endswith(".lock")]
        if left:
            raise Problem(f"a run that was not killed leaves {left}")

    def show(self):
        """What `shortfall show` says about the checkpoint; nothing if there is none yet."""
        if not (self.place.folder / CHECKPOINT).exists():
            if self.saved_lines > 0:
                raise Problem("LOST: the checkpoint")
            return None
        outcome = subprocess.run([self.job.binary, "show", CHECKPOINT, "--json"],
                                 cwd=self.place.folder, capture_output=True, check=False)
        if outcome.returncode != 0:
            raise Problem(f"LOST: the checkpoint cannot be read: {outcome.stderr}")
        return json.loads(outcome.stdout)

    def look(self, is_end=False):
        """The checkpoint is whole and never goes back; nothing else is left behind."""
        shown = self.show()
        self.job.count("looks")
        lines = shown["stream"]["next_row"] - 1 if shown else 0
        if not self.saved_lines <= lines <= self.sent:
            raise Problem(f"the checkpoint has {lines} lines; before {self.saved_lines}, "
                          f"sent {self.sent}")
        self.saved_lines = lines
        expected = {CHECKPOINT, "at.csv", "predictions.csv", "bad.csv"}
        left = set(os.listdir(self.place.folder)) - expected
        if not is_end:
            left = {name for name in left if not name.startswith(".")}
        if left:
            raise Problem(f"leaves {sorted(left)}")

    def follow(self):
        """The undisturbed run comes to the same place, if it can."""

    # What happens to a run in the same way, whatever it reads.

    def kill(self):
        self.end_by(signal.SIGKILL, "kills")

    def hup(self):
        """Files that grow are reopened, in place; a run without such files stops."""
        if self.job.configuration.grows_files():
            self.ask_to_reopen()
        else:
            self.ask_to_stop(signal.SIGHUP)
        self.job.count("hangups")

    def ask_to_reopen(self):
        if self.learner.settle():
            self.learner.send(signal.SIGHUP)

    def terminate(self):
        self.ask_to_stop(signal.SIGTERM)

    def interrupt(self):
        self.ask_to_stop(signal.SIGINT)

    def refuse_another(self):
        """Another process with the same checkpoint is refused, and changes nothing."""
        if not self.learner.settle():
            return
        outcome = subprocess.run(self.command(), cwd=self.place.folder, capture_output=True,
                                 stdin=subprocess.DEVNULL, check=False)
        if b"another run is using it" in outcome.stderr and outcome.returncode == BAD_INPUT:
            self.job.count("refused")
        elif self.job.configuration.source == "pipe" or outcome.returncode not in (
                0, NO_ANSWER, BAD_INPUT):
            # The reader of a file may have ended before, and has then left the lock to the other,
            # whose values may not have settled.
            raise Problem(f"a second run has code {outcome.returncode}: {outcome.stderr[-2000:]}")

    def pause(self):
        """Stopped in the middle of anything, its checkpoint can be read, and the lock holds."""
        if not self.learner.settle():
            return
        self.learner.send(signal.SIGSTOP)
        if self.learner.wait_until(lambda: self.learner.status().get("State", "T")[0] in "TtZ",
                                   "stop"):
            self.look()
            self.refuse_another()
            self.job.count("pauses")
        self.learner.send(signal.SIGCONT)

    def read_only(self):
        """A run in a folder that cannot be written to says so, and changes nothing."""
        self.ask_to_stop(signal.SIGTERM)
        if not self.place.can_be_read_only:
            return
        before = self.show()
        self.place.allow_writing(False)
        self.start()
        self.finish_learner(BAD_INPUT)
        if self.show() != before:
            raise Problem("the checkpoint has changed in a folder that cannot be written to")
        self.place.allow_writing(True)
        self.job.count("read_only")

    def count_failed_saves(self):
        return sum(notice["event"] == "save-failed" for notice in self.learner.notices())
