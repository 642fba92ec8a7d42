"""The pictures of the pages, from numbers that the command computes.

    pictures.py BINARY WEB            writes docs/pictures/*.svg
    pictures.py BINARY WEB --check    compares them with those files, exits with 1 if one is not current

Charts of pages are drawn by draw.mjs of WEB, the copy of web/ in a build tree, which has its packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from math import comb
from pathlib import Path

from chart import Chart, Line, coloured, document, text

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PICTURES = ROOT / "docs" / "pictures"
LEVELS = [0.1, 0.3, 0.5, 0.7, 0.9]
MACHINE = """idstatefrom,idaction,idstateto,probability,cost
0,0,1,0.98,0
0,0,0,0.02,40
1,0,2,0.94,1
1,0,0,0.06,40
1,1,0,1,10
2,0,3,0.88,2
2,0,0,0.12,40
2,1,0,1,10
3,0,3,0.7,4
3,0,0,0.3,40
3,1,0,1,10
"""


class Command:
    def __init__(self, binary: str, web: str, folder: Path):
        self._binary, self._folder = Path(binary).resolve(), folder
        self._draw = Path(web).resolve() / "draw.mjs"

    def __call__(self, *arguments: str, given: str = "") -> dict:
        result = subprocess.run(
            [self._binary, *arguments, "--json"],
            input=given,
            cwd=self._folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return json.loads(result.stdout)

    def chart(self, name: str, page: str) -> str:
        """A chart of a page that was written."""
        subprocess.run(["node", self._draw, page, ".", name], cwd=self._folder, check=True)
        return (self._folder / f"{name}.svg").read_text(encoding="utf-8")

    def file(self, name: str, contents: str) -> str:
        (self._folder / name).write_text(contents, encoding="utf-8")
        return name

    def risk(self, tau: float, law: list[tuple[float, float]]) -> float:
        rows = "".join(f"{value},{probability}\n" for value, probability in law if probability > 0)
        return self("risk", "--loss", f"expectile:{tau}", "-", given="value,probability\n" + rows)[
            "risk"
        ]


def numbers(path: Path) -> list[float]:
    return [float(line) for line in path.read_text().split()[1:]]


def law_and_loss(run: Command) -> str:
    """Two plans as dots on a line of costs, with their risk at three levels."""
    name, height = "loss-and-law", 230
    scale = lambda cost: 30 + (cost - 20) / 75 * 350  # noqa: E731
    body = []
    for row, (title, file) in enumerate((("plan A", "plan_a.csv"), ("plan B", "plan_b.csv"))):
        y = 62 + 98 * row
        body.append(f'<line class="axis" x1="30" x2="380" y1="{y}" y2="{y}"/>')
        body.append(text(30, y - 46, f"{title}: ten weeks of costs"))
        seen: dict[float, int] = {}
        for cost in numbers(EXAMPLES / file):
            above = seen[cost] = seen.get(cost, -1) + 1
            body.append(
                f'<circle cx="{scale(cost):.1f}" cy="{y - 7 - 9 * above:.1f}" r="4" style="fill:var(--c1)"/>'
            )
        risks = []
        for tau, colour in ((0.1, 3), (0.5, 5), (0.9, 2)):
            risk = run("risk", "--loss", f"expectile:{tau}", str(EXAMPLES / file))["risk"]
            risks.append(f"{risk:.0f}")
            x = scale(risk)
            body.append(f'<path d="M{x:.1f} {y + 2} l-5 9 h10 z" style="fill:var(--c{colour})"/>')
            if row == 1:
                body.append(coloured(x, y + 25, f"{risk:.0f}", colour, "middle"))
        if row == 0:
            body.append(text(scale(41), y + 24, ", ".join(risks), "soft", "middle"))
    for cost in (20, 40, 60, 80):
        body.append(text(scale(cost), 202, f"{cost}", "soft", "middle"))
    body.append(text(205, 222, "cost; triangles: risk at τ = 0.1, 0.5 and 0.9", "soft", "middle"))
    return document(name, "Costs of two plans and their risk at three levels", body, height)


def risk_by_tau(run: Command) -> str:
    levels = [t / 40 for t in range(2, 39)]
    chart = Chart(
        "risk-by-tau",
        "Risk of two plans by level tau",
        "level τ of the expectile",
        "sure cost that is as bad",
        [0, 0.25, 0.5, 0.75, 1],
        [20, 40, 60, 80],
    )
    for title, file, colour, at in (
        ("plan A", "plan_a.csv", 1, -1),
        ("plan B", "plan_b.csv", 2, -6),
    ):
        law = [(cost, 0.1) for cost in numbers(EXAMPLES / file)]
        points = [(tau, run.risk(tau, law)) for tau in levels]
        chart.lines.append(Line(points, title, colour, at=at, shift=(-8, -8)))
    return chart.svg()


def money_of_tau(run: Command) -> str:
    chart = Chart(
        "money-of-tau",
        "Sure cost that is as bad as a chance of losing 100",
        "chance of a cost of 100",
        "sure cost that is as bad",
        [0, 0.25, 0.5, 0.75, 1],
        [0, 25, 50, 75, 100],
    )
    for i, tau in enumerate(LEVELS):
        points = [(p / 40, run.risk(tau, [(0, 1 - p / 40), (100, p / 40)])) for p in range(41)]
        chart.lines.append(Line(points, f"{tau:g}", 1 + i, at=20, shift=(0, 4), anchor="middle"))
    chart.notes.append((0.66, 4, "each curve: a level τ"))
    return chart.svg()


def nested(run: Command) -> str:
    """A fair coin of 0 or 1 in every stage: the risk of the sum, and risks stage by stage."""
    model = run.file(
        "coin.csv", "idstatefrom,idaction,idstateto,probability,cost\n" "0,0,0,0.5,0\n0,0,0,0.5,1\n"
    )
    stages = range(1, 21)
    static = [(n, run.risk(0.9, [(k, comb(n, k) / 2**n) for k in range(n + 1)])) for n in stages]
    loss = ["--loss", "expectile:0.9", "--gamma", "1"]
    by_stage = [(n, run("solve", model, *loss, "--horizon", f"{n}")["values"][0]) for n in stages]
    chart = Chart(
        "nested",
        "Risk of the sum and nested risk of n coins",
        "number of stages n",
        "risk of the total cost, τ = 0.9",
        [0, 5, 10, 15, 20],
        [0, 5, 10, 15, 20],
    )
    chart.lines = [
        Line(by_stage, "stage by stage (nested)", 2, at=-4, shift=(-10, -6)),
        Line(static, "of the sum", 1, at=-1, shift=(0, -10)),
        Line([(n, n / 2) for n in stages], "mean", 3, at=-5, shift=(22, 20), dashed=True),
    ]
    return chart.svg()


def storm(run: Command) -> str:
    """A day that may be stormy, and then a choice: the plan of today against that of tomorrow."""
    lottery = run.risk(0.9, [(60, 0.5), (100, 0.5)])
    with_lottery = run.risk(0.9, [(0, 0.8), (60, 0.1), (100, 0.1)])
    with_sure = run.risk(0.9, [(0, 0.8), (90, 0.2)])
    lines = [(24, 98, 132, 50), (24, 98, 132, 146), (142, 150, 246, 110), (142, 150, 246, 190)]
    body = [f'<line class="axis" x1="{a}" y1="{b}" x2="{c}" y2="{d}"/>' for a, b, c, d in lines]
    body.append('<circle cx="20" cy="98" r="6" style="fill:var(--c1)"/>')
    body.append('<rect x="131" y="143" width="12" height="12" style="fill:var(--c2)"/>')
    body += [
        text(138, 54, "calm (0.8): cost 0"),
        text(62, 152, "storm (0.2)", "", "middle"),
        text(252, 106, "risk it: 60 or 100"),
        coloured(252, 122, f"tomorrow: {lottery:.0f}", 2),
        text(252, 186, "sure: 90"),
        coloured(252, 202, "tomorrow: 90", 2),
        coloured(8, 226, "Today, all at once:", 1),
        text(134, 226, f"risk it {with_lottery:.1f}, sure {with_sure:.1f}"),
        coloured(8, 246, "Stage by stage:", 2),
        text(134, 246, f"sure, and the value today is {with_sure:.1f}"),
    ]
    return document("storm", "A choice that looks different today and tomorrow", body, 256)


def gamma_limit(run: Command) -> str:
    model = run.file("machine.csv", MACHINE)
    points = []
    for t in range(2, 39):
        loss = ["--loss", f"expectile:{t / 40}", "--gamma", "0.5"]
        points.append((t / 40, run("check", model, *loss)["gamma_limit"]))
    chart = Chart(
        "gamma-limit",
        "Largest discount factor with a guarantee, by tau",
        "level τ of the expectile",
        "discount factor γ",
        [0, 0.25, 0.5, 0.75, 1],
        [0, 0.25, 0.5, 0.75, 1],
    )
    chart.lines = [Line(points, "limit", 1, at=26, shift=(6, -2), anchor="start")]
    chart.notes = [(0.36, 0.2, "below: guaranteed"), (0.02, 0.9, "above: ask further")]
    return chart.svg()


def certificate(run: Command) -> str:
    """Value iteration on the machine: size of the last step, certified bound, true error."""
    model = run.file("machine.csv", MACHINE)
    base = [
        "solve",
        model,
        "--loss",
        "expectile:0.9",
        "--gamma",
        "0.95",
        "--method",
        "value-iteration",
    ]
    exact = run(*base[:-1], "adaptive", "--tolerance", "1e-10")["values"]
    trace = run(*base, "--trace", "--tolerance", "1e-4")["trace"]
    error = []
    for entry in trace:
        k = entry["iteration"]
        values = run(*base, "--max-iterations", f"{k}")["values"]
        error.append((k, max(abs(a - b) for a, b in zip(values, exact))))
    last = 10 * (len(trace) // 10)
    cut = lambda points: [(x, y) for x, y in points if x <= last]  # noqa: E731
    chart = Chart(
        "certificate",
        "Certified bound and true error by sweep",
        "sweeps of value iteration",
        "error, logarithmic",
        [0, last / 2, last],
        [1e-5, 1e-3, 0.1, 10, 1000],
        logarithmic=True,
    )
    chart.lines = [
        Line(
            cut([(e["iteration"], e["error_bound"]) for e in trace]),
            "certified bound",
            2,
            at=last // 3,
            shift=(6, -8),
            anchor="start",
        ),
        Line(cut(error), "true error", 1, at=last // 3, shift=(-6, 20)),
    ]
    return chart.svg()


def study_machine(run: Command) -> str:
    """The study of docs/tutorials/researcher.md."""
    model = run.file("machine.csv", MACHINE)
    losses = ["--loss", "mean", "--loss", "expectile:0.9"]
    learners = ["--algorithm", "td", "--algorithm", "newton", "--step", "20,1000,0.7"]
    setting = ["--policy", "uniform", "--gamma", "0.9", "--out", "study"]
    run("study", model, *setting, *losses, *learners)
    return run.chart("study-to-value", "study/study.html")


def plan_orders(run: Command) -> str:
    """The map of orders, which no simulation has a part in."""
    few = ["--periods", "10", "--replications", "10", "--out", "plan.html"]
    run("inventory", "report", str(EXAMPLES / "platelets.toml"), *few)
    return run.chart("orders", "plan.html")


DRAWINGS = [law_and_loss, risk_by_tau, money_of_tau, nested, storm, gamma_limit, certificate]
DRAWINGS += [study_machine, plan_orders]


def main(binary: str, web: str, *options: str) -> int:
    stale = []
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pictures-") as name:
        for drawing in DRAWINGS:
            svg = drawing(Command(binary, web, Path(name)))
            path = PICTURES / f"{drawing.__name__}.svg"
            if "--check" not in options:
                path.write_text(svg, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != svg:
                stale.append(path.name)
    if stale:
        print(f"not what the command computes: {', '.join(stale)}; run scripts/tutorials.sh")
        return 1
    print(f"{len(DRAWINGS)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
