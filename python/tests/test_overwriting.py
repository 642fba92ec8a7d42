"""No function overwrites a file that it reads, or writes one twice."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, Callable

import pytest

import shortfall as sf
from shortfall import inventory

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "examples" / "records.csv"
STREAM = ROOT / "examples" / "boyan_stream.csv"
PLAN = ROOT / "examples" / "platelets.toml"


def fit(read: Path, write: Path) -> Any:
    return inventory.fit_records(read, shelf_life=5, out=write)


def report(read: Path, write: Path) -> Any:
    return inventory.Inventory.from_toml(PLAN).report(write, records=read)


def report_on_a_rule(read: Path, write: Path) -> Any:
    return inventory.Inventory.from_toml(PLAN).report(write, policy=[str(read)])


def learn(read: Path, write: Path) -> Any:
    return sf.StreamRun(read, "newton", "mean", 1.0, checkpoint=write)


def predict(read: Path, write: Path) -> Any:
    return sf.StreamRun(read, "newton", "mean", 1.0, predictions=write)


@pytest.mark.parametrize(
    ("function", "source"),
    [
        (fit, RECORDS),
        (report, RECORDS),
        (report_on_a_rule, RECORDS),
        (learn, STREAM),
        (predict, STREAM),
    ],
)
def test_inputs_are_kept(
    tmp_path: Path, function: Callable[[Path, Path], Any], source: Path
) -> None:
    read = tmp_path / "in"
    shutil.copy(source, read)
    os.symlink("in", tmp_path / "link")
    os.link(read, tmp_path / "hard")
    for write in (read, tmp_path / "." / "in", tmp_path / "link", tmp_path / "hard"):
        with pytest.raises(sf.InvalidInput, match="are the same file"):
            function(read, write)
        assert read.read_bytes() == source.read_bytes()


def test_outputs_differ(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(sf.InvalidInput, match="predictions and checkpoint are the same file"):
        sf.StreamRun(STREAM, "newton", "mean", 1.0, checkpoint=out, predictions=out)
    plan = inventory.Inventory.from_toml(PLAN)
    with pytest.raises(sf.InvalidInput, match="levels.csv in csv and path are the same file"):
        plan.report(tmp_path / "levels.csv", csv=tmp_path)
    assert os.listdir(tmp_path) == []
