"""Results are identical to those of the command line, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import shortfall as sf

Command = Callable[..., Any]


@pytest.mark.parametrize("loss", ["mean", "expectile:0.9", "entropic:0.05", "soft-quantile:0.8,2"])
@pytest.mark.parametrize("plan", ["plan_a.csv", "plan_b.csv"])
def test_risk(command: Command, examples: Path, loss: str, plan: str) -> None:
    values = np.loadtxt(examples / plan, skiprows=1)
    assert sf.risk(values, None, loss) == command("risk", "--loss", loss, examples / plan)["risk"]


@pytest.mark.parametrize(
    "method", ["adaptive", "policy-iteration", "value-iteration", "gauss-seidel"]
)
@pytest.mark.parametrize("loss", ["mean", "expectile:0.9", "entropic:0.1"])
def test_solve(command: Command, examples: Path, loss: str, method: Any) -> None:
    path = examples / "forest.csv"
    theirs = command("solve", path, "--loss", loss, "--gamma", 0.9, "--method", method)
    ours = sf.solve(sf.Mdp.from_csv(str(path)), loss, 0.9, method=method)
    assert ours.values.tolist() == theirs["values"]
    assert ours.policy.tolist() == theirs["policy"]
    assert (ours.error_bound, ours.iterations) == (theirs["error_bound"], theirs["iterations"])
    assert ours.status == theirs["status"]


def test_evaluate(command: Command, examples: Path, tmp_path: Path) -> None:
    model = sf.Mdp.from_csv(str(examples / "forest.csv"))
    policy = tmp_path / "policy.csv"
    policy.write_text("idstate,idaction\n0,0\n1,1\n2,0\n")
    for method in ("newton", "sweeps"):
        words = ("--loss", "expectile:0.9", "--gamma", 0.9, "--policy", policy, "--method", method)
        theirs = command("evaluate", examples / "forest.csv", *words)
        ours = sf.evaluate(model, [0, 1, 0], "expectile:0.9", 0.9, method=method)  # type: ignore[arg-type]
        assert ours.values.tolist() == theirs["values"]
        assert ours.policy.tolist() == theirs["policy"]


def test_finite_horizon(command: Command, examples: Path) -> None:
    words = ("--loss", "expectile:0.9", "--gamma", 1, "--horizon", 7)
    theirs = command("solve", examples / "forest.csv", *words)
    model = sf.Mdp.from_csv(str(examples / "forest.csv"))
    ours = sf.solve_finite_horizon(model, "expectile:0.9", 1.0, stages=7)
    assert ours.values[-1].tolist() == theirs["values"]
    assert ours.policies[-1].tolist() == theirs["policy"]


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (sf.Td(4, "expectile:0.7", 0.9), ("--algorithm", "td")),
        (
            sf.Td(4, "expectile:0.7", 0.9, average_from=100),
            ("--algorithm", "td", "--average-from", 100),
        ),
        (
            sf.TdLambda(4, "expectile:0.7", 0.9, lambda_=0.8, step="1,50,0.75"),
            ("--algorithm", "td-lambda", "--lambda", 0.8, "--step", "1,50,0.75"),
        ),
        (sf.Newton(4, "expectile:0.7", 0.9, warmup=50), ("--algorithm", "newton", "--warmup", 50)),
    ],
    ids=["td", "averaged", "td-lambda", "newton"],
)
def test_learn(command: Command, examples: Path, learner: sf.Learner, words: Any) -> None:
    path = examples / "boyan_stream.csv"
    theirs = command("learn", path, "--loss", "expectile:0.7", "--gamma", 0.9, *words)
    rows = np.genfromtxt(path, delimiter=",", skip_header=1)
    learner.update_many(rows[:, :4], rows[:, 8], rows[:, 4:8], rows[:, 9] != 0)
    assert learner.theta.tolist() == theirs["theta"]
    assert (learner.updates, learner.status) == (theirs["updates"], theirs["status"])
