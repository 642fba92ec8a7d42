"""Runs on streams: resumed by Python or by the command, they end with the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import shortfall as sf

Command = Callable[..., Any]
ROWS = 3000


def write_stream(path: Path, rows: int = ROWS, seq: bool = False) -> Path:
    draw = random.Random(5)
    lines = ["seq,x1,x2,y1,y2,cost" if seq else "x1,x2,y1,y2,cost"]
    for number in range(rows):
        numbers = [1, draw.random(), 1, draw.random(), draw.gauss(2, 1)]
        lines.append(",".join(map(str, [number] * seq + numbers)))
    path.write_text("\n".join(lines) + "\n")
    return path


def options(algorithm: Any) -> tuple[dict[str, Any], list[str]]:
    """The same options for Python and for the command."""
    ours: dict[str, Any] = {"algorithm": algorithm, "loss": "expectile:0.8", "gamma": 0.9}
    theirs = ["--algorithm", algorithm, "--loss", "expectile:0.8", "--gamma", "0.9"]
    if algorithm == "td-lambda":
        ours["average_from"], theirs = 50, [*theirs, "--average-from", "50"]
    return ours, theirs


@pytest.mark.parametrize("algorithm", ["td", "td-lambda", "newton"])
def test_python_and_the_command_resume_each_other(
    command: Command, tmp_path: Path, algorithm: str
) -> None:
    ours, theirs = options(algorithm)
    stream = write_stream(tmp_path / "stream.csv")
    whole = command("learn", stream, *theirs, "--checkpoint", tmp_path / "whole")

    # Python learns a part and the command the rest.
    with sf.StreamRun(stream, **ours, checkpoint=tmp_path / "first") as run:
        run.learn(rows=1000)
        assert (run.updates, run.rows, run.resumed_rows) == (1000, 1000, 0)
    rest = command("learn", stream, *theirs, "--checkpoint", tmp_path / "first")
    assert rest["theta"] == whole["theta"]
    assert (tmp_path / "first").read_bytes() == (tmp_path / "whole").read_bytes()

    # The command learns a part, as of a file that grows, and Python the rest.
    text = stream.read_bytes()
    stream.write_bytes(text[: text.index(b"\n", len(text) // 2) + 1])
    part = command("learn", stream, *theirs, "--checkpoint", tmp_path / "second")
    stream.write_bytes(text)
    with sf.StreamRun(stream, **ours, checkpoint=str(tmp_path / "second")) as run:
        assert run.resumed_rows == part["updates"] < ROWS
        assert run.learn() == whole["status"]
    assert run.theta.tolist() == whole["theta"]
    assert (tmp_path / "second").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_killed_run_is_resumed_with_the_same_bytes(command: Command, tmp_path: Path) -> None:
    ours, theirs = options("newton")
    stream = write_stream(tmp_path / "stream.csv")
    files = {"checkpoint": tmp_path / "state", "predictions": tmp_path / "predictions.csv"}
    program = (
        "import sys, time, shortfall as sf\n"
        f"run = sf.StreamRun({str(stream)!r}, **{ours!r}, checkpoint={str(files['checkpoint'])!r},\n"
        f"                   predictions={str(files['predictions'])!r})\n"
        "run.learn(rows=700)\n"
        "run.save()\n"
        "run.learn(rows=500)\n"
        "print('learned', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"learned\n"
        process.send_signal(signal.SIGKILL)
    with sf.StreamRun(stream, **ours, **files) as run:
        assert run.resumed_rows == 700
        run.learn()
    whole = tmp_path / "whole"
    again = ["--checkpoint", whole, "--predictions", tmp_path / "whole.csv"]
    command("learn", stream, *theirs, *again)
    assert files["checkpoint"].read_bytes() == whole.read_bytes()
    assert files["predictions"].read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_rows_are_learned_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "stream.ndjson"
    path.write_text(
        '{"x":[1,0],"y":[0,1],"cost":2}\n{"x":[0,1],"cost":3,"terminal":true}\nnot a row\n'
    )
    td = sf.Td(2, "mean", 0.5, step=0.1)
    run = sf.StreamRun(path, "td", "mean", 0.5, step=0.1, skip_bad_rows=True)
    with pytest.raises(sf.InvalidInput, match="has not shown its number of features yet"):
        _ = run.theta
    phi, cost, phi_next = next(run)
    assert phi_next is not None
    assert (phi.tolist(), cost, phi_next.tolist()) == ([1, 0], 2, [0, 1])
    td.update(phi, cost, phi_next)
    assert run.theta.tolist() == td.theta.tolist()
    assert [(cost, phi_next) for _, cost, phi_next in run] == [(3, None)]
    td.update_terminal([0, 1], 3)
    assert run.theta.tolist() == td.theta.tolist()
    assert isinstance(run.learner, sf.Td)
    assert run.learner.value(np.array([1.0, 1.0])) == td.value(np.array([1.0, 1.0]))
    assert (run.rows, run.skipped_rows, run.status, run.alarms) == (2, 1, "ok", 0)
    assert run.last_alarm_row is None


def test_rows_that_a_pipe_repeats_count_once(tmp_path: Path) -> None:
    ours, _ = options("newton")
    text = write_stream(tmp_path / "stream.csv", 300, seq=True).read_text()

    def learned(part: str) -> sf.StreamRun:
        reading, writing = os.pipe()
        os.write(writing, part.encode())
        os.close(writing)
        with sf.StreamRun(f"/dev/fd/{reading}", **ours, checkpoint=tmp_path / "state") as run:
            run.learn()
        os.close(reading)
        return run

    learned(text[: text.index("\n", len(text) // 2) + 1])
    resumed = learned(text)
    assert resumed.updates == 300
    assert resumed.replayed_rows == resumed.resumed_rows > 100


def test_messages_are_about_arguments_and_not_about_options(tmp_path: Path) -> None:
    stream = write_stream(tmp_path / "stream.csv", 10)
    files = {"checkpoint": tmp_path / "state"}
    with sf.StreamRun(stream, "td-lambda", "mean", 0.5, **files) as run:
        run.learn()
        with pytest.raises(sf.OutputError):  # in use
            sf.StreamRun(stream, "td-lambda", "mean", 0.5, **files)
    for arguments, problem in [
        ({"lambda_": 0.25}, "lambda_ is 0.25, but the checkpoint"),
        ({"average_from": 3}, "average_from is 3, but the checkpoint"),
        ({"resume_at_row": 3}, "resume_at_row: "),
    ]:
        with pytest.raises(sf.InvalidInput) as raised:
            sf.StreamRun(stream, "td-lambda", "mean", 0.5, **files, **arguments)  # type: ignore[arg-type]
        assert str(raised.value).startswith(problem)
        assert "--" not in str(raised.value)
    with pytest.raises(sf.InvalidInput, match="user-defined loss"):
        sf.StreamRun(stream, "td", lambda x: x, 0.5, **files)


def test_a_resumed_pipe_without_numbers_warns(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"x1,y1,cost\n1,1,1\n")
    path, files = f"/dev/fd/{reading}", {"checkpoint": tmp_path / "state"}
    with sf.StreamRun(path, "td", "mean", 0.5, **files) as run:
        run.learn(rows=1)
    os.write(writing, b"1,1,2\n")
    os.close(writing)
    with pytest.warns(UserWarning, match="resume_at_row=2 if it continues"):
        run = sf.StreamRun(path, "td", "mean", 0.5, **files)
    run.learn()
    assert run.updates == 2
    os.close(reading)


def test_ctrl_c_ends_a_wait_and_saves(tmp_path: Path) -> None:
    program = (
        "import os, sys, shortfall as sf\n"
        "run = sf.StreamRun('-', 'td', 'mean', 0.5, checkpoint=sys.argv[1], checkpoint_every=1e6)\n"
        "next(run)\n"
        "print('learned', flush=True)\n"
        "run.learn()\n"
    )
    words = [sys.executable, "-c", program, str(tmp_path / "state")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"x1,y1,cost\n1,1,1\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"learned\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) != 0
        assert process.stderr is not None and b"KeyboardInterrupt" in process.stderr.read()
    assert (tmp_path / "state").exists()


def test_bad_rows_are_passed_over_on_resume_and_written_with_reasons(tmp_path: Path) -> None:
    path = tmp_path / "stream.csv"
    path.write_text("time,x1,y1,cost\n1,1,1,2\n2,1,1,two\n3,1,1,900\n4,1,1,4\n")
    kept: dict[str, Any] = {"step": 0.5, "checkpoint": tmp_path / "state"}
    with pytest.raises(sf.InvalidInput, match="line 3, column cost"):
        with sf.StreamRun(path, "td", "mean", 0.5, **kept) as run:
            run.learn()
    bad = tmp_path / "bad.csv"
    with sf.StreamRun(
        path, "td", "mean", 0.5, **kept, bad_rows=bad, cost_range=(0, 10), clip_costs=True
    ) as run:
        assert run.learn() == "ok"
    assert (run.rows, run.skipped_rows, run.clipped_rows) == (3, 1, 1)
    assert (run.outliers, run.last_outlier_row, run.ignored) == (0, None, ["time"])
    reason = 'column cost: found ""two""; accepted: a finite number'
    assert bad.read_text() == f'row,line,reason,text\n2,3,"{reason}","2,1,1,two"\n'
    with pytest.raises(sf.InvalidInput, match="max_bad_share: found 2; accepted: "):
        sf.StreamRun(path, "td", "mean", 0.5, max_bad_share=2.0)
    with pytest.raises(sf.InvalidInput, match="clip_costs without cost_range"):
        sf.StreamRun(path, "td", "mean", 0.5, clip_costs=True)


def test_a_row_that_moves_the_values_by_orders_of_magnitude_is_said(tmp_path: Path) -> None:
    path = tmp_path / "stream.csv"
    costs = [1e9 if row == 300 else 1 + row % 3 for row in range(1, 501)]
    path.write_text("x1,y1,cost\n" + "".join(f"1,1,{cost}\n" for cost in costs))
    run = sf.StreamRun(path, "td", "mean", 0.5, step=(1, 100, 0.7))
    assert run.learn(rows=299) == "ok"
    assert run.learn() == run.status == "outlier"
    assert (run.outliers, run.last_outlier_row) == (1, 300)


def test_predictions_are_continued_in_a_new_file_after_a_move(tmp_path: Path) -> None:
    path, predictions = tmp_path / "stream.csv", tmp_path / "p.csv"
    path.write_text("x1,y1,cost\n1,1,2\n1,1,2\n")
    with sf.StreamRun(path, "td", "mean", 0.5, step=0.5, predictions=predictions) as run:
        run.learn(rows=1)
        predictions.rename(tmp_path / "p.csv.1")
        run.reopen()
        run.learn()
    header = "row,value,residual\n"
    assert (tmp_path / "p.csv.1").read_text() == header + "1,0,2\n"
    assert predictions.read_text() == header + "2,1,1.5\n"
