"""How much should a blood bank order? Three attitudes to risk, compared with simpler rules.

Platelets expire within days, demand is random, and ordering too few or too many is expensive. The
costs are in examples/platelets.toml. With Matplotlib installed, this script also draws a figure.
"""

from pathlib import Path

from shortfall import inventory
from shortfall.inventory import Inventory, Simulation

EXAMPLES = Path(__file__).resolve().parents[1]
stock = Inventory.from_toml(EXAMPLES / "platelets.toml")
print(stock)

# The higher the expectile level, the more bad outcomes count.
attitudes = {"risk-seeking": 0.1, "neutral": 0.5, "risk-averse": 0.9}
best = {}
print("\nattitude      order with nothing in stock   with 4 fresh units   with 4 that expire today")
for name, tau in attitudes.items():
    best[name] = inventory.solve(stock.replace(loss=f"expectile:{tau}"))
    orders = [best[name].order(units) for units in ([0, 0, 0, 0], [0, 0, 0, 4], [4, 0, 0, 0])]
    print(f"{name:13} {orders[0]:27} {orders[1]:20} {orders[2]:26}")
    assert best[name].status == "converged"

# Risk aversion orders more when the shelf is empty, but less when units are about to expire.
empty, expiring = [0, 0, 0, 0], [4, 0, 0, 0]
seeking, neutral, averse = best["risk-seeking"], best["neutral"], best["risk-averse"]
assert seeking.order(empty) < neutral.order(empty) < averse.order(empty)
assert averse.order(expiring) < neutral.order(expiring)

# How much more would a simpler rule cost a risk-averse planner? These values are exact.
rules = {
    "ignore expiry": inventory.static_orders(stock),
    "best for one day": inventory.myopic_orders(stock),
    "best on average": inventory.risk_neutral_orders(stock),
    "up to 14, always": inventory.base_stock_orders(stock, level=14),
    "up to 14, if at most 6": inventory.reorder_orders(stock, reorder_at=6, order_up_to=14),
}
optimum = averse.value(empty)
print(f"\nrisk-averse cost from an empty stock: {optimum:.3f}")
for rule, orders_of_rule in rules.items():
    value = inventory.evaluate(stock, orders_of_rule)
    print(f"  {rule:24} {value.values[0] / optimum - 1:+8.2%}")
    assert (value.values >= averse.values - 2e-6).all()  # in every state

# If the distributions are unknown, a policy can be learned from simulated days.
learned = inventory.train(stock, iterations=5, improvement="sampled:50")
print(f"  {'learned from samples':24} {learned.values[0] / optimum - 1:+8.2%}")
assert learned.values[0] < 1.02 * optimum

# Simulate a year, with identical random demand for all three.
year: dict[str, Simulation] = {}
print("\nattitude       service   wasted   cost per day   discounted cost, 95 % quantile")
for name, solution in best.items():
    year[name] = inventory.simulate(stock, solution.policy)
    service, wasted = year[name].service_level, year[name].wasted_fraction
    per_day, high = year[name].cost_per_period, year[name].quantile(0.95)
    print(f"{name:14} {service:7.2%} {wasted:8.2%} {per_day:14.2f} {high:31.2f}")
assert year["risk-seeking"].service_level < year["risk-averse"].service_level
assert year["risk-seeking"].wasted_fraction < year["risk-averse"].wasted_fraction
# Risk aversion costs more on average, and less in bad years.
assert year["neutral"].mean < year["risk-averse"].mean
assert year["risk-averse"].quantile(0.95) < year["neutral"].quantile(0.95)

try:
    import matplotlib.pyplot as plt

    from shortfall import plot
except ImportError:
    print("\nMatplotlib is not installed: no figure.")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")
    plot.policy_map(stock, averse.policy, ax=left)
    plot.cost_distribution(year, ax=right)
    figure.savefig("platelets.png", dpi=120)
    print("\nplatelets.png shows the risk-averse orders and the costs of all three attitudes.")
