"""One run over the same rows to which nothing happens."""

from learner import Learner, Problem


class Undisturbed:
    """Reads the job's file to its end, or a pipe that is fed as far as the disturbed run has come, so
    that both can end at any moment."""

    def __init__(self, job, name, *more, source="pipe"):
        self.job, self.at, self.source = job, 0, source
        self.folder = job.folder / name
        self.folder.mkdir()
        job.write_states(self.folder)
        self.out = self.folder.with_suffix(".out")
        more = (str(job.input),) if source == "file" else more
        self.learner = Learner([*job.command(), *more], self.folder, self.out, source == "pipe")
        if source == "pipe":
            self.learner.feed(job.rows.header())

    def follow(self, line):
        """Sends what is missing of the lines before `line`."""
        for content, count in self.job.rows.parts(self.at, line):
            if not self.learner.feed(content):
                raise Problem(f"undisturbed, it ends: {self.learner.said[-2000:]}")
            self.at += count
            self.job.count("rows", count)

    def finish(self):
        if self.source == "pipe":
            self.learner.drain()
        code = self.learner.end()
        if code != 0:
            raise Problem(f"undisturbed, it has exit code {code}: {self.learner.said[-2000:]}")
