"""A learner that reads a pipe: what was sent and not saved must be sent again."""

import signal
import time

from disturbed import BAD_INPUT, CHECKPOINT, Disturbed
from learner import PATIENCE, Problem


class DisturbedPipe(Disturbed):
    def __init__(self, job, place, undisturbed):
        super().__init__(job, place)
        self.at = 0  # the next line to send
        self.undisturbed = undisturbed

    def follow(self):
        self.undisturbed.follow(self.sent)

    def start(self):
        """Begins with a line that the learner accepts: the next, or one before."""
        shown = self.show()
        next_line = shown["stream"]["next_row"] - 1 if shown else 0
        resume, more, back = self.job.configuration.resume, (), self.draw.random() < 0.5
        far = int(self.draw.paretovariate(0.5) * 10)
        self.at = next_line
        if resume == "seq" and shown:
            # Bad lines after the last row are not saved with a number: they are sent again.
            last = shown["stream"]["seq"]
            self.at = 0 if last is None else self.job.rows.line_of_seq(last) + 1
        if resume != "next" and back:
            self.at = max(0, self.at - min(far, 3_000_000))
        if resume == "row" and shown:
            more = ("--resume-at-row", str(self.at + 1))
        if resume == "next" and shown:
            more = ("--accept-replay",)
        self.plant(next_line)
        self.launch(*more, piped=True)
        if self.at == 0 or self.draw.random() < 0.5 or not shown:
            self.learner.feed(self.job.rows.header())

    def plant(self, next_line):
        """A mistake of a restart that must be found."""
        if self.starts != 2:
            return
        if self.job.planted == "skip a row":
            self.at += 1
        if self.job.planted == "send a row twice":
            self.at -= 1
        if self.job.planted == "leave out a resume":
            (self.place.folder / CHECKPOINT).unlink(missing_ok=True)
            self.saved_lines, self.at = 0, next_line
        if self.job.planted == "leave a file":
            (self.place.folder / ".shortfall-0-0.tmp").touch()

    def advance(self, line):
        if self.learner is None:
            self.start()
        if not self.send(line):
            raise Problem(f"ends at line {self.at}: {self.learner.said[-2000:]}")

    def send(self, line):
        """The lines before `line`; false if the learner has ended."""
        for content, count in self.job.rows.parts(self.at, line):
            if self.job.planted == "flip a digit" and self.at <= self.job.lines // 2 < self.at + count:
                middle = content.index(b"\n", len(content) // 2)
                content = content[:middle - 1] + bytes([content[middle - 1] ^ 1]) + content[middle:]
            if not self.learner.feed(content):
                return False
            self.at += count
            self.sent = max(self.sent, self.at)
            self.job.count("rows", count)
        return True

    def send_part(self):
        """The beginning of a row, without its end."""
        row = next(content for content, _ in self.job.rows.parts(self.at, self.at + 1))
        self.learner.feed(row[:self.draw.randrange(1, len(row) - 1)])

    def end_by(self, number, name):
        self.send_part()
        self.learner.measure()
        self.learner.send(number)
        self.finish_learner(-number)
        self.job.count(name)

    def ask_to_stop(self, number):
        self.learner.settle()
        self.learner.send(number)
        out = self.learner.out
        self.finish_learner(0)
        self.job.count("stops")
        if signal.Signals(number).name.encode() not in out.read_bytes():
            raise Problem(f"does not say that it was stopped: {out.read_bytes()[-2000:]}")

    def cut(self):
        """The producer dies in the middle of a row."""
        self.send_part()
        self.finish_learner(0, BAD_INPUT)
        self.job.count("cuts")

    def second(self):
        self.refuse_another()

    def restart(self):
        self.finish_learner(0)

    def full(self):
        """A disk without room: learning continues, or ends with the last checkpoint whole."""
        if not self.learner.settle():
            return
        before = self.count_failed_saves()
        line = min(self.job.lines, self.sent + self.draw.randrange(1, 3000))
        way = self.draw.choice(("free", "free", "kill", "restart", "terminate"))
        if line == self.sent:
            return  # there may be nothing to save
        self.place.fill(self.learner.pid)
        self.send(line)
        deadline = time.monotonic() + PATIENCE
        while self.learner.is_running() and self.count_failed_saves() == before:
            # What was being saved may have left room behind.
            self.place.fill(self.learner.pid)
            time.sleep(0.02)
            if time.monotonic() > deadline:
                raise Problem(f"a disk without room, and no message within {PATIENCE} s")
        self.job.count("full_disks")
        if way == "free":
            saved = self.identity()
            self.place.free(self.learner.pid)
            if self.learner.drain() and self.learner.wait_until(
                    lambda: self.identity() != saved, "checkpoint although there is room again"):
                return
            way = "restart"  # predictions could not be written: that ends it
        number = {"kill": signal.SIGKILL, "terminate": signal.SIGTERM}.get(way)
        if number is not None:
            self.learner.send(number)
        # Where predictions could not be written, SIGTERM may come after the handler is gone.
        self.finish_learner(0, BAD_INPUT, *((-number,) if number is not None else ()))
        self.look()
        self.place.free(None)

    def identity(self):
        """Of the file that the checkpoint is now; none if there is none."""
        path = self.place.folder / CHECKPOINT
        return (path.stat().st_ino, path.stat().st_mtime_ns) if path.exists() else None

    def finish(self):
        if self.learner is None:
            self.start()
        self.send(self.sent)
        self.finish_learner(0)
