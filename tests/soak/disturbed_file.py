"""A learner that reads a file to its end, again and again while the file grows."""

import signal
import time

from disturbed import BAD_INPUT, Disturbed
from learner import Problem

PACE = 8e6  # about this many rows per second: how long to wait before something happens


class DisturbedFile(Disturbed):
    def __init__(self, job, place):
        super().__init__(job, place)
        self.at, self.part = 0, b""  # lines in the file, and the beginning of one more
        self.file = open(job.input, "wb", buffering=0)
        self.file.write(job.rows.header())

    def start(self):
        self.launch(str(self.job.input), piped=False)

    def command(self, *more):
        return super().command(*(more or (str(self.job.input),)))

    def grow(self, line):
        for content, count in self.job.rows.parts(self.at, line):
            self.file.write(content[len(self.part):])
            self.part = b""
            self.at = self.sent = self.at + count
            self.job.count("rows", count)

    def grow_by_part(self):
        if self.at < self.job.lines and not self.part:
            row = next(content for content, _ in self.job.rows.parts(self.at, self.at + 1))
            self.part = row[:self.draw.randrange(1, len(row) - 1)]
            self.file.write(self.part)

    def advance(self, line):
        """Half of the new lines are there when the learner starts; the others come as it reads."""
        grown = self.at + (line - self.at) // 2
        self.grow(grown)
        if self.draw.random() < 0.5:
            self.grow_by_part()
        self.start()
        self.grow(line)

    def wait_somewhat(self):
        time.sleep(self.draw.random() * (self.at - self.saved_lines) / PACE)

    def accepted(self, *more):
        """A row that was seen in half, even if it is whole by now, may end a run."""
        return (0, BAD_INPUT, *more)

    def end_by(self, number, name):
        self.wait_somewhat()
        self.learner.measure()
        self.learner.send(number)
        if self.finish_learner(*self.accepted(-number)) == -number:
            self.job.count(name)

    def ask_to_stop(self, number):
        if self.learner.settle():
            self.wait_somewhat()
            self.learner.send(number)
        learner, out = self.learner, self.learner.out
        # Once it has printed its result it no longer handles signals.
        if self.finish_learner(*self.accepted(-number)) == -number and not learner.has_said("end"):
            raise Problem(f"ended by {signal.Signals(number).name}: {learner.said[-2000:]}")
        if signal.Signals(number).name.encode() in out.read_bytes():
            self.job.count("stops")

    def ask_to_reopen(self):
        super().ask_to_reopen()
        self.finish_learner(*self.accepted(-signal.SIGHUP))

    def second(self):
        self.refuse_another()
        self.finish_learner(*self.accepted())

    def pause(self):
        super().pause()
        self.finish_learner(*self.accepted())

    def cut(self):
        self.grow_by_part()
        self.finish_learner(*self.accepted())
        self.start()
        self.finish_learner(*self.accepted())
        self.job.count("cuts")

    def restart(self):
        self.finish_learner(*self.accepted())

    def full(self):
        if self.learner.settle():
            self.place.fill(self.learner.pid)
        learner = self.learner
        if self.finish_learner(*self.accepted()) == BAD_INPUT and b"cannot write" in learner.said:
            self.job.count("full_disks")
            self.look()
        self.place.free(learner.pid)

    def finish(self):
        """To the end of what the file has by then."""
        if self.learner is not None:
            self.finish_learner(*self.accepted())
        if self.part:
            self.grow(self.at + 1)
        self.file.close()
        self.start()
        self.finish_learner(0)
