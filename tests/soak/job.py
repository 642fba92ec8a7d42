"""One stream, learned with interruptions and without, and the comparison of what is left."""

import filecmp
import json
import pathlib
import shutil
import tempfile
import time

from disturbed import CHECKPOINT, schedule
from disturbed_file import DisturbedFile
from disturbed_pipe import DisturbedPipe
from learner import Problem
from places import make_place
from rows import Rows
from undisturbed import Undisturbed

# The buffer of a stream has 256 KiB, that of predictions 64 KiB, and the state some KiB: all of them
# are there after a few thousand rows. The bound allows for four more such buffers. Pages of the
# program and its libraries do not count: they are there once they are used.
MEMORY_BOUND = 1024  # KiB above a short run
SHORT_LINES = 200_000


class Job:
    def __init__(self, binary, configuration, seed, lines, events, **options):
        self.binary, self.configuration, self.seed, self.lines = binary, configuration, seed, lines
        self.planted = options.get("planted", "")
        self.saving = options.get("saving", 0.2)  # seconds between checkpoints
        self.stop_at = options.get("stop_at")  # by time.monotonic(): then it goes on to compare
        self.count = options.get("count", lambda name, number=1: None)
        self.rows = Rows(configuration, seed, options.get("block", 10_000))
        self.report_every = max(1, lines // 40)
        self.schedule = schedule(seed, lines, events)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shortfall-soak-"))
        self.input = self.folder / "rows"
        self.peak = self.own = self.short_own = 0  # KiB

    def command(self):
        reports = ["--report-every", str(self.report_every)] if self.configuration.reports else []
        return [self.binary, *self.configuration.arguments(), *reports]

    def is_over(self):
        """Reading a file once more takes as long as it took until now; a pipe is read by both."""
        now = time.monotonic()
        ahead = now - self.begun if self.configuration.source == "file" else 0
        return self.stop_at is not None and now + ahead > self.stop_at

    def see_memory(self, learner):
        self.peak, self.own = max(self.peak, learner.peak), max(self.own, learner.own)

    def run(self):
        """What was found: `problems`, and figures."""
        self.begun, problems, updates = time.monotonic(), [], 0
        place = make_place(self.folder / "disturbed", self.configuration.small_disk)
        runs = []
        try:
            self.write_states(place.folder, 20_000 if self.planted == "take memory" else 1)
            self.measure_short_run()
            if self.configuration.source == "pipe":
                undisturbed = Undisturbed(self, "undisturbed")
                runs = [undisturbed, DisturbedPipe(self, place, undisturbed)]
            else:
                runs = [DisturbedFile(self, place)]
            lines = runs[-1].run()
            if self.configuration.source == "file":
                undisturbed = Undisturbed(self, "undisturbed", source="file")
                runs.append(undisturbed)
            else:
                undisturbed.follow(lines)
            undisturbed.finish()
            reports = next(run.reports for run in runs if run is not undisturbed)
            problems = self.compare(place.folder, undisturbed, reports, lines)
            updates = self.rows.updates(lines)
        except Problem as problem:
            problems = [str(problem)]
        if problems:
            self.keep(place.folder, problems)
        for run in runs:
            if run.learner is not None and run.learner.is_running():
                run.learner.process.kill()
                run.learner.process.wait()
        place.remove()
        shutil.rmtree(self.folder)
        return {"configuration": self.configuration.name, "seed": self.seed, "updates": updates,
                "problems": problems, "peak_kib": self.peak,
                "growth_kib": self.own - self.short_own,
                "seconds": round(time.monotonic() - self.begun, 1)}

    def write_states(self, folder, times=1):
        if self.configuration.intervals:
            names = ",".join(f"x{i + 1}" for i in range(self.configuration.dimension))
            states = [",".join(row) for row in self.rows.table]
            (folder / "at.csv").write_text("\n".join([names, *states * times]) + "\n")

    def measure_short_run(self):
        short = Undisturbed(self, "short", "--checkpoint-every", "0.02")
        short.follow(min(self.lines, SHORT_LINES))
        short.finish()
        self.short_own = short.learner.own
        shutil.rmtree(short.folder)

    def compare(self, disturbed, undisturbed, reports, lines):
        """Every byte that the two leave, and the number of updates counted here."""
        folder, out = undisturbed.folder, undisturbed.out
        self.see_memory(undisturbed.learner)
        self.count("comparisons")
        names = [CHECKPOINT] + (["predictions.csv"] if self.configuration.predictions else [])
        names += ["bad.csv"] if self.configuration.letters else []
        found = [f"{name} differs" for name in names
                 if not filecmp.cmp(disturbed / name, folder / name, shallow=False)]
        before, after = out.read_bytes(), (self.folder / "out").read_bytes()
        if self.configuration.reports:
            *lines_before, before = before.splitlines(keepends=True)
            after = after.splitlines(keepends=True)[-1]
            if {*reports.values()} != {*lines_before}:
                found.append(f"the reports differ: {sorted({*reports.values()} ^ {*lines_before})}")
        if before != after:
            found.append(f"the result differs: {after[-400:]}, undisturbed {before[-400:]}")
        updates = json.loads(before)["updates"]
        if updates != self.rows.updates(lines):
            found.append(f"{updates} updates from {self.rows.updates(lines)} rows")
        excess = self.own - self.short_own
        if excess > MEMORY_BOUND:
            found.append(f"memory: {excess} KiB above a short run; accepted: {MEMORY_BOUND}")
        return found

    def keep(self, folder, problems):
        """What is needed to look into it; the seed repeats the rest."""
        if self.planted:
            return
        target = pathlib.Path("soak-failures") / f"{self.configuration.name}-{self.seed}"
        target.mkdir(parents=True, exist_ok=True)
        (target / "problems.txt").write_text("\n".join([*problems, " ".join(self.command())]) + "\n")
        for path in (*folder.iterdir(), self.folder / "out", self.folder / "undisturbed.out",
                     self.folder / "undisturbed" / CHECKPOINT):
            if path.is_file() and path.stat().st_size < 1 << 20:
                shutil.copy(path, target / f"{path.parent.name}-{path.name}")
