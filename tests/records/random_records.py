"""Random records of an inventory: what people's files contain at their worst, from a seed."""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass, field

DEMANDS = ("poisson", "overdispersed", "intermittent", "constant", "zeros", "weekly", "lumpy")
DAYS = ("few", "weeks", "gaps", "one weekday", "closed weekdays", "stray rows", "year")
AGES = ("unknown", "fresh", "one age", "one age per delivery", "mixed", "odd")


@dataclass
class RandomRecords:
    """The rows of a file, and what they were drawn from."""

    number: int
    shelf_life: int
    demand: str
    days: str
    ages: str
    rows: list[dict[str, str]] = field(default_factory=list)
    costs: dict[str, str] = field(default_factory=dict)

    @property
    def has_weekdays(self) -> bool:
        """Whether demand differs by weekday."""
        return self.demand == "weekly"

    def text(self) -> str:
        columns = list(self.rows[0])
        lines = [",".join(columns)] + [",".join(row[c] for c in columns) for row in self.rows]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return (f"records {self.number}: shelf life {self.shelf_life}, demand {self.demand}, "
                f"days {self.days}, ages {self.ages}")


def poisson(draw: random.Random, mean: float) -> int:
    """By the exponential times between events."""
    events, time = 0, draw.expovariate(1.0)
    while time < mean:
        events += 1
        time += draw.expovariate(1.0)
    return events


def demand_of(records: RandomRecords, draw: random.Random, mean: float, weekday: int) -> int:
    if records.demand == "poisson":
        return poisson(draw, mean)
    if records.demand == "overdispersed":
        return poisson(draw, mean * draw.gammavariate(1.5, 1.0 / 1.5))
    if records.demand == "intermittent":
        return draw.randint(1, 12) if draw.random() < 0.1 else 0
    if records.demand == "lumpy":
        return 6 * poisson(draw, mean / 6)
    if records.demand == "weekly":
        return poisson(draw, mean * (1.6 if weekday < 3 else 0.5))
    return 0 if records.demand == "zeros" else round(mean)


def dates_of(records: RandomRecords, draw: random.Random) -> list[datetime.date]:
    first = datetime.date(2024, 1, 1) + datetime.timedelta(draw.randint(0, 6))
    length = {"few": draw.randint(1, 20), "weeks": draw.randint(21, 90),
              "year": draw.randint(300, 400)}.get(records.days, draw.randint(60, 250))
    dates = [first + datetime.timedelta(t) for t in range(length)]
    if records.days == "gaps":
        dates = [date for date in dates if draw.random() < 0.6]
    elif records.days == "one weekday":
        dates = [date for date in dates if date.weekday() == 2]
    elif records.days == "closed weekdays":
        dates = [date for date in dates if date.weekday() < 5]
    elif records.days == "stray rows":
        sundays = [date for date in dates if date.weekday() == 6]
        dates = [date for date in dates if date.weekday() < 6 or date == sundays[len(sundays) // 2]]
    return dates or [first]


def delivery_of(records: RandomRecords, draw: random.Random, units: int) -> list[int]:
    shares = {"fresh": [0] * (records.shelf_life - 1) + [1], "odd": [1] + [0] * (records.shelf_life - 1)}
    ages = [0] * records.shelf_life
    one = 0 if records.ages == "one age" else draw.randrange(records.shelf_life)
    for _ in range(units):
        if records.ages in shares:
            ages[shares[records.ages].index(1)] += 1
        elif records.ages in ("one age", "one age per delivery"):
            ages[one] += 1
        else:
            ages[draw.randrange(records.shelf_life)] += 1
    return ages


def costs_of(draw: random.Random) -> dict[str, str]:
    if draw.random() < 0.3:
        return {}
    return {"cost.order": draw.choice(["0", "0", "5", "20"]),
            "cost.unit": draw.choice(["0", "0", "1", "10"]),
            "cost.holding": draw.choice(["0", "0.1", "1"]),
            "cost.shortage": draw.choice(["5", "20", "300"]),
            "cost.wastage": draw.choice(["0", "1", "5"]),
            "risk.loss": draw.choice(["mean", "expectile:0.9", "expectile:0.99", "expectile:0.3"])}


def random_records(number: int) -> RandomRecords:
    """The same number gives the same records."""
    draw = random.Random(number)
    records = RandomRecords(number, draw.choice([1, 2, 2, 3]), draw.choice(DEMANDS),
                            draw.choice(DAYS), draw.choice(AGES))
    mean = draw.choice([0.3, 1, 2, 4, 6])
    most_days_short = draw.random() < 0.15
    has_stockouts = most_days_short or draw.random() < 0.5
    has_waste = draw.random() < 0.5
    for i, date in enumerate(dates_of(records, draw)):
        demand = demand_of(records, draw, mean, date.weekday())
        row = {"date": date.isoformat(), "demand": str(demand)}
        if has_stockouts:
            stock = draw.randint(0, 2) if most_days_short else poisson(draw, 2 * mean)
            # A day on which all is known must remain, or nothing is.
            short = demand >= stock and i > 0 and records.demand != "zeros"
            row["demand"] = str(min(demand, stock) if short else demand)
            row["stockout"] = str(int(short))
        units = 0 if draw.random() < 0.2 else poisson(draw, mean)
        row["ordered"] = str(units)
        if records.ages != "unknown":
            ages = delivery_of(records, draw, units)
            row |= {f"received_{k + 1}": str(n) for k, n in enumerate(ages)}
        if has_waste:
            row["wasted"] = str(int(draw.random() < 0.1))
        records.rows.append(row)
    records.costs = costs_of(draw)
    return records
