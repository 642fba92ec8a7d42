"""Models for the tests."""

import random

LOSSES = ("mean", "expectile:0.9", "expectile:0.1", "entropic:0.3", "truncated-entropic:0.5,4",
          "soft-quantile:0.8,0.2", "piecewise:-1:-0.5,0:0,1:2,3:9")
METHODS = ("adaptive", "policy-iteration", "modified-policy-iteration", "value-iteration",
           "gauss-seidel")


def random_model(states, seed=5):
    """Terminal states, different numbers of actions, and rows from one to many outcomes."""
    draw = random.Random(seed)
    rows = ["idstatefrom,idaction,idstateto,probability,cost"]
    for x in range(states):
        if x % 37 == 11:
            continue  # terminal
        for a in range(draw.randint(1, 4)):
            count = 60 if x % 50 == 0 else draw.randint(1, 7)
            weights = [draw.uniform(0.1, 1.0) for _ in range(count)]
            for weight in weights:
                near = draw.random() < 0.7
                to = (x + draw.randint(-4, 4)) % states if near else draw.randrange(states)
                rows.append(f"{x},{a},{to},{weight / sum(weights)!r},{draw.uniform(-2, 5)!r}")
    return "\n".join(rows) + "\n"


INVENTORY = """
[inventory]
shelf_life = 4
capacity = 9
max_order = 9
[demand]
distribution = "negative-binomial"
n = 5.5
mean = 3.25
max = 12
[arrival]
c0 = [1, 0.5, 0.4]
c1 = [-0.2, -0.1, -0.1]
[cost]
order = 1
holding = 0.5
shortage = 6
wastage = 2
[risk]
loss = "expectile:0.7"
gamma = 0.9
"""
WEEK = INVENTORY.replace("max_order = 9", "max_order = [9, 9, 9, 9, 9, 9, 0]").replace(
    "mean = 3.25", "mean = [3, 3.5, 4, 3, 2.5, 1, 0.75]")
# 1 221 759 stocks, whose solution takes gigabytes.
LARGE = """
[inventory]
shelf_life = 6
capacity = 40
[demand]
distribution = "poisson"
mean = 8
max = 20
[arrival]
fresh = true
[cost]
order = 1
holding = 0.5
shortage = 6
wastage = 2
[risk]
loss = "mean"
gamma = 0.9
"""

# Two states in turn, with costs 0 and 1: sweeps oscillate, and need 10^8 iterations.
TURNS = "idstatefrom,idaction,idstateto,probability,cost\n0,0,1,1,0\n1,0,0,1,1\n"
TURNS_ARGUMENTS = ("--loss", "mean", "--gamma", "0.9999999", "--method", "value-iteration",
                   "--max-iterations", "1000000000")
