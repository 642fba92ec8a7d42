"""The learners that are soaked, each with its rows, its source and how it finds its place again."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Configuration:
    name: str
    options: tuple
    lines: int  # of a stream, if it is not cut short
    source: str = "pipe"  # or file, which grows
    form: str = "csv"  # or ndjson
    columns: tuple = ()
    dimension: int = 2
    resume: str = "next"  # a pipe continues with the next row; row, seq: it may repeat rows
    bad: bool = False  # whether some lines are not rows
    letters: bool = False  # whether those are written to a file, with their reasons
    predictions: bool = False
    reports: bool = False
    intervals: bool = False
    small_disk: bool = True  # its files are on a file system of their own, which can be full

    def arguments(self):
        more = []
        if self.bad:
            more += ["--bad-rows", "bad.csv"] if self.letters else ["--skip-bad-rows"]
        if self.predictions:
            more += ["--predictions", "predictions.csv"]
        if self.intervals:
            more += ["--confidence", "0.95", "--at", "at.csv"]
        return ["learn", *self.options, *more, "--json", "--checkpoint", "state", "--log", "json"]

    def grows_files(self):
        return self.predictions or self.letters


CONFIGURATIONS = (
    Configuration("td", ("--algorithm", "td", "--loss", "expectile:0.8", "--gamma", "0.9"),
                  200_000_000, columns=("seq",), resume="seq"),
    Configuration("newton-intervals",
                  ("--algorithm", "newton", "--loss", "entropic:0.5", "--gamma", "0.8"),
                  120_000_000, dimension=3, resume="row", intervals=True, small_disk=False),
    Configuration("td-lambda-ndjson",
                  ("--algorithm", "td-lambda", "--lambda", "0.7", "--loss", "mean", "--gamma", "0.9"),
                  80_000_000, form="ndjson", columns=("terminal",)),
    Configuration("newton-forget-file",
                  ("--algorithm", "newton", "--forget", "20000", "--loss", "expectile:0.7",
                   "--gamma", "0.9"),
                  20_000_000, source="file", columns=("seq", "weight"), bad=True, letters=True),
    Configuration("averager-td-predictions",
                  ("--algorithm", "averager-td", "--loss", "soft-quantile:0.8,0.1", "--gamma", "0.9"),
                  12_000_000, dimension=4, resume="row", predictions=True),
    Configuration("averager-newton-ndjson",
                  ("--algorithm", "averager-newton", "--loss", "expectile:0.9", "--gamma", "0.95"),
                  60_000_000, form="ndjson", columns=("terminal", "seq"), resume="seq", bad=True,
                  letters=True, reports=True),
    Configuration("td-average-file",
                  ("--algorithm", "td", "--average-from", "1000", "--loss", "expectile:0.6",
                   "--gamma", "0.8"),
                  30_000_000, source="file", dimension=3, columns=("terminal",), intervals=True,
                  small_disk=False),
    Configuration("td-lambda-forget-predictions",
                  ("--algorithm", "td-lambda", "--forget", "50000", "--loss",
                   "truncated-entropic:0.5,20", "--gamma", "0.7"),
                  8_000_000, source="file", form="ndjson", columns=("seq",), predictions=True),
    Configuration("newton-as-published",
                  ("--algorithm", "newton", "--as-published", "--loss", "piecewise:-1:-0.5,0:0,1:2",
                   "--gamma", "0.9"),
                  100_000_000, columns=("weight",)),
)

# More rows than 32 bits count.
LONG = Configuration("td-long", ("--algorithm", "td", "--loss", "expectile:0.8", "--gamma", "0.9"),
                     2**32 + 50_000_000, resume="row")
