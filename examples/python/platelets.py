"""What should a blood bank order? Three planners of different caution, and simpler rules.

Platelets perish within days, demand is random, and both too few and too many cost:
examples/platelets.toml says how much. Run it from anywhere; with Matplotlib it also draws.
"""

from pathlib import Path

from shortfall import inventory
from shortfall.inventory import Inventory, Simulation

EXAMPLES = Path(__file__).resolve().parents[1]
stock = Inventory.from_toml(EXAMPLES / "platelets.toml")
print(stock)

# One stock, three attitudes: the level of the expectile is how much bad outcomes weigh.
attitudes = {"hopeful": 0.1, "neutral": 0.5, "cautious": 0.9}
best = {}
print("\nplanner    order with nothing in stock   with 4 fresh units   with 4 that expire today")
for name, tau in attitudes.items():
    best[name] = inventory.solve(stock.replace(loss=f"expectile:{tau}"))
    orders = [best[name].order(units) for units in ([0, 0, 0, 0], [0, 0, 0, 4], [4, 0, 0, 0])]
    print(f"{name:10} {orders[0]:27} {orders[1]:20} {orders[2]:26}")
    assert best[name].status == "converged"

# Caution orders more for an empty shelf, and yet not everywhere: less beside what expires today.
empty, expiring = [0, 0, 0, 0], [4, 0, 0, 0]
assert best["hopeful"].order(empty) < best["neutral"].order(empty) < best["cautious"].order(empty)
assert best["cautious"].order(expiring) < best["neutral"].order(expiring)

# The cautious planner could also follow a simpler rule. What does that cost, exactly?
rules = {
    "as if nothing perished": inventory.static_orders(stock),
    "best for one day": inventory.myopic_orders(stock),
    "best on average": inventory.risk_neutral_orders(stock),
    "up to 14, always": inventory.base_stock_orders(stock, level=14),
    "up to 14, from 6 on": inventory.reorder_orders(stock, reorder_at=6, order_up_to=14),
}
optimum = best["cautious"].value([0, 0, 0, 0])
print(f"\nthe cautious planner's cost from an empty stock: {optimum:.3f}")
for rule, orders_of_rule in rules.items():
    value = inventory.evaluate(stock, orders_of_rule)
    print(f"  {rule:24} {value.values[0] / optimum - 1:+8.2%}")
    assert (value.values >= best["cautious"].values - 2e-6).all()  # in every state

# A policy can also be learned from simulated days, where no law is known.
learned = inventory.train(stock, iterations=5, improvement="sampled:50")
print(f"  {'learned from samples':24} {learned.values[0] / optimum - 1:+8.2%}")
assert learned.values[0] < 1.02 * optimum

# What a year is like: the same demand for all three.
year: dict[str, Simulation] = {}
print("\nplanner    service   wasted   cost a day   discounted cost: one year in 20 is above")
for name, solution in best.items():
    year[name] = inventory.simulate(stock, solution.policy)
    service, wasted = year[name].service_level, year[name].wasted_fraction
    a_day, bad = year[name].cost_per_period, year[name].quantile(0.95)
    print(f"{name:10} {service:7.2%} {wasted:8.2%} {a_day:12.2f} {bad:42.2f}")
assert year["hopeful"].service_level < year["cautious"].service_level
assert year["hopeful"].wasted_fraction < year["cautious"].wasted_fraction
assert year["neutral"].mean < year["cautious"].mean  # what caution costs on average,
assert year["cautious"].quantile(0.95) < year["neutral"].quantile(0.95)  # and what it buys

try:
    import matplotlib.pyplot as plt

    from shortfall import plot
except ImportError:
    print("\nMatplotlib is not here: no picture.")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")
    plot.policy_map(stock, best["cautious"].policy, ax=left)
    plot.cost_distribution(year, ax=right)
    figure.savefig("platelets.png", dpi=120)
    print("\nplatelets.png shows what the cautious planner orders, and the costs of all three.")
