"""Plans from records: the same as the command, and errors that name what is accepted."""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path

import pytest

import shortfall
from shortfall import inventory

RECORDS = Path(__file__).resolve().parents[2] / "examples" / "records.csv"


def test_the_example_is_what_its_script_prints() -> None:
    script = RECORDS.parent / "python" / "make_records.py"
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert printed.stdout == RECORDS.read_text()


def test_records_are_read_by_column() -> None:
    records = inventory.read_records(RECORDS)
    assert len(records["date"]) == 618
    assert records["date"][0] == datetime.date(2024, 11, 18)
    assert sum(records["stockout"]) == 36
    assert len(records["received"][0]) == 5
    assert all(sum(r) == o for r, o in zip(records["received"], records["ordered"]))


def test_the_plan_is_that_of_the_command(tmp_path: Path, command) -> None:
    out = tmp_path / "plan.toml"
    plan = inventory.fit_records(RECORDS, shelf_life=5, out=out)
    document = command("inventory", "fit", RECORDS, "--shelf-life", 5)
    del document["seconds"]
    assert plan.summary.to_dict() == document
    assert plan.warnings == plan.summary.warnings == document["warnings"]
    assert plan.summary.demand[0].mean == document["demand"][0]["mean"]
    assert plan.summary.arrival.shares[0].tolist() == document["arrival"]["shares"][0]
    assert out.read_text() == plan.toml
    read = inventory.Inventory.from_toml(out)
    assert (read.demand[0] == plan.inventory.demand[0]).all()
    assert read.max_order == plan.inventory.max_order
    assert "618 days" in repr(plan)


def test_a_window_and_costs(tmp_path: Path) -> None:
    plan = inventory.fit_records(
        RECORDS,
        shelf_life=5,
        since=datetime.date(2026, 1, 1),
        last=100,
        by_weekday="no",
        distribution="poisson",
        capacity=25,
        max_order=12,
        set={"cost.order": 225, "risk.loss": "mean"},
    )
    assert plan.summary.first == "2026-08-07"
    assert plan.inventory.capacity == 25
    assert plan.inventory.max_order == (12, 12, 12, 12, 12, 12, 0)
    assert plan.inventory.cost["order"] == 225
    assert plan.inventory.loss == shortfall.Loss("mean")


def test_headings_and_stock_outs_are_as_one_says(tmp_path: Path) -> None:
    file = tmp_path / "ward.csv"
    file.write_text("Wann;Abgang;leer\n16.11.26;4;ja\n17.11.26;3;nein\nSumme;7;\n")
    columns = {"date": "Wann", "demand": "abgang", "stockout": "leer"}
    records = inventory.read_records(file, columns=columns)
    assert records["demand"] == [4, 3]
    assert records["stockout"] == [True, False]
    more = inventory.fit_records(file, shelf_life=2, columns=columns, stockout="more-than")
    assert (more.summary.stockout, more.summary.stockout_source) == ("more-than", "option")
    least = inventory.fit_records(file, shelf_life=2, columns=columns)
    assert (least.summary.stockout, least.summary.stockout_source) == ("at-least", "assumed")
    assert least.summary.demand[0].mean < more.summary.demand[0].mean
    assert more.inventory.backtest(file, columns=columns).days == 2
    page = more.inventory.report(
        tmp_path / "plan.html", records=file, columns=columns, replications=10, periods=20
    )
    assert page.records is not None
    with pytest.raises(ValueError, match="COLUMN=HEADING"):
        inventory.read_records(file, columns={"demnad": "Abgang"})
    with pytest.raises(ValueError, match='no column "Bedarf" for demand'):
        inventory.read_records(file, columns={"demand": "Bedarf"})


def test_errors(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("date,demnad\n")
    with pytest.raises(ValueError, match="did you mean demand"):
        inventory.read_records(bad)
    with pytest.raises(ValueError, match="dates 'x'; accepted: auto, ymd"):
        inventory.read_records(RECORDS, dates="x")
    with pytest.raises(ValueError, match="since: soon is not a date"):
        inventory.fit_records(RECORDS, shelf_life=5, since="soon")
    with pytest.raises(ValueError, match="set demand.mean=4: this key is fitted"):
        inventory.fit_records(RECORDS, shelf_life=5, set={"demand.mean": 4})
    with pytest.raises(ValueError, match="distribution 'normal'; accepted: poisson"):
        inventory.fit_records(RECORDS, shelf_life=5, distribution="normal")
