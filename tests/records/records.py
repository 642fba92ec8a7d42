"""Random records through every command that reads them.

    records.py BINARY [COUNT] [FIRST]   40 records by default, from number 1

Each file is fitted, and its plan is solved, asked for an order, back-tested with refits and
reported. Plans with a capacity above 100, as where nearly all days ran out of stock, are only
fitted. Fails where

- a command crashes, or refuses what another one wrote;
- a capacity that was suggested binds: `solve` warns of it, or one and a half times as much room saves
  more than a thousandth of the cost from the empty shelf;
- demand that is the same on all weekdays is fitted by weekday in more than 5 % of records, and by
  more than chance explains.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from random_records import RandomRecords, random_records

MOST_BY_WEEKDAY = 0.05
MOST_SAVED = 1e-3
TOLERANCE = "1e-4"
LARGEST = 100
TIME_LIMIT = 1200.0  # seconds per command: a busy machine must not fail the test


@dataclass
class Outcome:
    records: RandomRecords
    problems: list[str] = field(default_factory=list)
    is_fitted: bool = False
    by_weekday: bool = False


class Command:
    """The command, in a folder of one file of records."""

    def __init__(self, binary: str, folder: Path, outcome: Outcome) -> None:
        self.binary = binary
        self.folder = folder
        self.outcome = outcome

    def run(self, *arguments: str, accepted: tuple[int, ...] = (0,)) -> dict | None:
        try:
            done = subprocess.run([self.binary, "inventory", *arguments, "--threads", "1", "--json"],
                                  cwd=self.folder, capture_output=True, text=True, check=False,
                                  timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            self.outcome.problems.append(f"{' '.join(arguments)}: more than {TIME_LIMIT:g} s")
            return None
        if done.returncode not in accepted:
            words = " ".join(arguments)
            self.outcome.problems.append(f"{words}: exit {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout) if done.returncode == 0 else None


def check_capacity(command: Command, solved: dict) -> None:
    if any("capacity" in warning for warning in solved["warnings"]):
        command.outcome.problems.append(f"a suggested capacity is warned of: {solved['warnings']}")
    capacity, value = solved["capacity"], solved["value_at_empty"]
    room = min(math.ceil(1.5 * capacity) + 2, 250)
    if room == capacity:
        return
    more = command.run("solve", "plan.toml", "--set", f"inventory.capacity={room}",
                       "--tolerance", TOLERANCE)
    errors = solved["error_bound"] + more["error_bound"] if more else 0.0
    if more and value - more["value_at_empty"] > MOST_SAVED * abs(value) + errors:
        command.outcome.problems.append(
            f"capacity {capacity} costs {value}, and {room} costs {more['value_at_empty']}")


def check(binary: str, number: int) -> Outcome:
    records = random_records(number)
    outcome = Outcome(records)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "records.csv").write_text(records.text())
        command = Command(binary, folder, outcome)
        changes = [word for key, value in records.costs.items() for word in ("--set", f"{key}={value}")]
        fit = command.run("fit", "records.csv", "--shelf-life", str(records.shelf_life), *changes,
                          "--out", "plan.toml")
        if not fit:
            return outcome
        outcome.is_fitted = True
        outcome.by_weekday = fit["by_weekday"]
        if fit["capacity"] > LARGEST:
            return outcome
        solved = command.run("solve", "plan.toml", "--tolerance", TOLERANCE)
        if not solved:
            return outcome
        check_capacity(command, solved)
        stock = ",".join(str(k + 1) for k in range(records.shelf_life - 1))
        day = ["--day", "wed"] if solved["days"] == 7 else []
        command.run("order", "plan.toml", "--stock", stock, *day, "--tolerance", TOLERANCE,
                    "--compare", "static")
        last = max(len(records.rows) // 2, 1)
        # Records of one day have nothing to fit before it.
        command.run("backtest", "plan.toml", "records.csv", "--refit", str(last), "--tolerance",
                    TOLERANCE, "--compare", "static", accepted=(0, 2))
        command.run("backtest", "plan.toml", "records.csv", "--tolerance", TOLERANCE)
        report = subprocess.run(
            [binary, "inventory", "report", "plan.toml", "--records", "records.csv", "--out",
             "page.html", "--replications", "20", "--periods", "60", "--levels", "0.5",
             "--tolerance", TOLERANCE, "--threads", "1"],
            cwd=folder, capture_output=True, text=True, check=False, timeout=TIME_LIMIT)
        if report.returncode != 0:
            outcome.problems.append(f"report: exit {report.returncode}: {report.stderr.strip()}")
    return outcome


def most_by_chance(count: int) -> float:
    """The share of `MOST_BY_WEEKDAY`, and three standard errors of it."""
    return MOST_BY_WEEKDAY + 3 * math.sqrt(MOST_BY_WEEKDAY * (1 - MOST_BY_WEEKDAY) / max(count, 1))


def main() -> int:
    binary = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda number: check(binary, number), range(first, first + count)))
    problems = 0
    for outcome in outcomes:
        for problem in outcome.problems:
            print(f"{outcome.records}: {problem}")
            problems += 1
    alike = [o for o in outcomes if o.is_fitted and not o.records.has_weekdays]
    weekly = sum(o.by_weekday for o in alike)
    print(f"{count} records, {sum(o.is_fitted for o in outcomes)} fitted, {problems} problems; "
          f"by weekday without reason: {weekly} of {len(alike)}")
    return int(problems > 0 or weekly > most_by_chance(len(alike)) * len(alike))


if __name__ == "__main__":
    sys.exit(main())
