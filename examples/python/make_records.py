"""Simulates examples/records.csv: two years of a blood bank's daily records.

    python3 examples/python/make_records.py > examples/records.csv

The hospital is that of examples/platelets.toml, with a mean of demand for each weekday and closed
on Sundays and on six holidays. The planner orders up to 12 units on every open day. Where the stock
runs out, only the units that were supplied are recorded, with stockout = 1. Units that expire while
the hospital is closed are found on the next open day.
"""

from __future__ import annotations

import datetime
import math
import random

SHELF_LIFE = 5
N = 11.064622  # of the negative binomial law, as in platelets.toml
MEAN = [7.4, 6.2, 5.6, 6.2, 7.4, 4.2, 0.0]  # Monday to Sunday; 6.17 on average when open
C0 = [0.0, 1.9, 3.1, 3.1, 2.5]
C1 = [0.0, -0.03, -0.06, -0.03, -0.09]
ORDER_UP_TO = 12
FIRST = datetime.date(2024, 11, 18)
DAYS = 728
HOLIDAYS = {(12, 25), (12, 26), (1, 1)}


def draw_demand(rng: random.Random, mean: float) -> int:
    """Negative binomial: Poisson with a rate that is gamma distributed."""
    rate = rng.gammavariate(N, mean / N)
    demand, product = 0, rng.random()
    while product > math.exp(-rate):
        demand += 1
        product *= rng.random()
    return demand


def draw_delivery(rng: random.Random, order: int) -> list[int]:
    """Units by days left, 1 to SHELF_LIFE."""
    weights = [math.exp(c0 + c1 * order) for c0, c1 in zip(C0, C1)]
    ages = rng.choices(range(SHELF_LIFE), weights=weights, k=order)
    return [ages.count(age) for age in range(SHELF_LIFE)]


def take_oldest(stock: list[int], units: int) -> list[int]:
    """The stock without as many units, oldest first."""
    left = []
    for held in stock:
        taken = min(held, units)
        units -= taken
        left.append(held - taken)
    return left


def main() -> None:
    rng = random.Random(1)
    received = [f"received_{age}" for age in range(1, SHELF_LIFE + 1)]
    print(",".join(["date", "demand", "stockout", "ordered", *received, "wasted"]))
    stock = [0] * SHELF_LIFE  # by days left, 1 first
    wasted = 0
    for t in range(DAYS):
        date = FIRST + datetime.timedelta(days=t)
        if date.weekday() < 6 and (date.month, date.day) not in HOLIDAYS:
            order = max(ORDER_UP_TO - sum(stock), 0)
            delivery = draw_delivery(rng, order)
            stock = [held + new for held, new in zip(stock, delivery)]
            demand = draw_demand(rng, MEAN[date.weekday()])
            supplied = min(demand, sum(stock))
            stockout = int(demand >= sum(stock))
            stock = take_oldest(stock, supplied)
            wasted += stock[0]
            print(",".join(map(str, [date, supplied, stockout, order, *delivery, wasted])))
            wasted = 0
        else:
            wasted += stock[0]
        stock = stock[1:] + [0]


if __name__ == "__main__":
    main()
