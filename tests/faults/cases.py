"""Commands to inject faults into: at least one for every way of reading and writing a file."""

import pathlib
from dataclasses import dataclass, field

USUAL = ("EIO", "kill")
# Also those that a program must overcome, and a full disk.
MORE = (*USUAL, "ENOSPC", "EINTR", "EAGAIN", "short")
INPUTS = pathlib.Path(__file__).resolve().parent.parent / "golden" / "inputs"


@dataclass(frozen=True)
class Case:
    """A command with the files that it finds. Commands of `before` are run first: what they write
    are the old files; then files are replaced by those of `after`. `grows` are files that grow in
    place: a prefix is whole. `resumes` are checkpoints: any content from which the next run ends
    with the same bytes."""
    name: str
    arguments: tuple
    files: dict
    before: tuple = ()
    after: dict = field(default_factory=dict)
    stdin: str = ""        # name of a file that is sent through a pipe
    grows: tuple = ()
    resumes: tuple = ()
    quick: tuple = USUAL   # faults of the selection that the suite runs


def golden(*names):
    return {name: (INPUTS / name).read_bytes() for name in names}


# Steps with which values are not judged: they have not settled after a few hundred rows.
UNJUDGED = ("--step", "2,100,0.7")


def stream(rows, numbered=False):
    """Rows of three features from a multiplicative generator."""
    state = 20261116
    lines = ["x1,x2,x3,y1,y2,y3,cost" + (",seq" if numbered else "")]
    for row in range(rows):
        numbers = []
        for _ in range(7):
            state = state * 48271 % 2147483647
            numbers.append(f"{state % 2001 / 1000 - 1:.3f}")
        lines.append(",".join(numbers) + (f",{row + 1}" if numbered else ""))
    return ("\n".join(lines) + "\n").encode()


def cases():
    model = golden("maintenance.csv")
    plan = golden("small.toml")
    records = golden("records.csv")
    one = ("--threads", "1", "--json")
    risk = ("--loss", "expectile:0.9", "--gamma", "0.9")
    solve = ("solve", "maintenance.csv", *risk, *one)
    inventory_solve = ("inventory", "solve", "small.toml", "--save", "plan.solution",
                       "--policy-out", "orders.csv", *one)
    learn = ("learn", "--loss", "expectile:0.7", "--gamma", "0.5", "--json", "--algorithm")
    td = (*learn, "td", *UNJUDGED)
    checkpoint = ("--checkpoint", "state", "--checkpoint-every", "0.000001")
    newton = (*learn, "newton", "--warmup", "20", *checkpoint, "--predictions", "predictions.csv")
    train = ("inventory", "train", "small.toml", "--iterations", "3", "--samples", "400",
             "--trajectories", "2", "--warmup", "50", "--checkpoint", "state", "--policy-out",
             "orders.csv", *one)
    study = ("study", "maintenance.csv", "--policy", "optimal", "--gamma", "0.9", "--loss", "mean",
             "--algorithm", "td", "--samples", "200", "--replications", "2", "--out", "study", *one)
    policies = ("reproduce", "figure-policies", "--quick", "--out", "out", *one)
    long = {"rows.csv": stream(7000)}
    yield Case("solve", (*solve, "--policy-out", "policy.csv"), model, quick=MORE,
               before=(("solve", "maintenance.csv", "--loss", "mean", "--gamma", "0.1", *one,
                        "--policy-out", "policy.csv"),))
    yield Case("solve-new", (*solve, "--policy-out", "policy.csv"), model, quick=())
    yield Case("evaluate", ("evaluate", "maintenance.csv", "--policy", "maintenance_repair.csv",
                            *risk, *one), {**model, **golden("maintenance_repair.csv")},
               quick=())
    yield Case("check", ("check", "maintenance.csv", *risk, "--json"), model, quick=())
    yield Case("convert-binary", ("convert", "maintenance.csv", "model.bin", *one), model)
    yield Case("convert-csv", ("convert", "model.bin", "model.csv", *one),
               {**model, "model.csv": b"old\n"},
               before=(("convert", "maintenance.csv", "model.bin", *one),), quick=())
    yield Case("solve-binary", ("solve", "model.bin", *risk, *one), model,
               before=(("convert", "maintenance.csv", "model.bin", *one),), quick=())
    yield Case("show-model", ("show", "model.bin", "--json"), model,
               before=(("convert", "maintenance.csv", "model.bin", *one),), quick=())
    yield Case("risk-pipe", ("risk", "--loss", "mean", "--json", "-"), golden("numbers.csv"),
               stdin="numbers.csv", quick=())
    yield Case("learn-new", (*newton, "rows.csv"), long, grows=("predictions.csv",),
               resumes=("state",), quick=())
    yield Case("learn-resumed", (*newton, "rows.csv"), {"rows.csv": stream(2500)},
               before=((*newton, "rows.csv"),), after=long, grows=("predictions.csv",),
               resumes=("state",), quick=MORE)
    yield Case("learn-pipe", (*td, *checkpoint, "-"),
               {"rows.csv": stream(300, numbered=True)}, stdin="rows.csv", resumes=("state",),
               quick=MORE)
    yield Case("learn-reports", (*td, "--report-every", "50", "stream.csv"),
               golden("stream.csv"), quick=())
    yield Case("learn-ndjson", (*td, "stream.ndjson"), golden("stream.ndjson"),
               quick=())
    yield Case("show-checkpoint", ("show", "state", "--json"), long,
               before=((*newton, "rows.csv"),), quick=())
    yield Case("inventory-solve", inventory_solve, {**plan, "plan.solution": b"old\n"})
    yield Case("inventory-order", ("inventory", "order", "small.toml", "--stock", "1,1",
                                   "--solution", "plan.solution", *one), plan,
               before=(inventory_solve,), quick=())
    yield Case("inventory-fit", ("inventory", "fit", "records.csv", "--shelf-life", "3", "--out",
                                 "plan.toml", "--json"), {**records, "plan.toml": b"old\n"})
    yield Case("inventory-backtest", ("inventory", "backtest", "small.toml", "records.csv",
                                      "--out", "days.csv", *one), {**plan, **records}, quick=())
    yield Case("inventory-train", train, plan, resumes=("state",))
    yield Case("inventory-report", ("inventory", "report", "small.toml", "--out", "page.html", *one),
               {**plan, "page.html": b"old\n"}, quick=())
    yield Case("study", study, {**model, "study/study.json": b"old\n"})
    yield Case("reproduce", policies, {}, quick=())
    yield Case("reproduce-again", (*policies, "--fresh"), {},
               before=((*policies, "--seed", "2"),), quick=())
