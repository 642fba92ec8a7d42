"""A model of your own: a machine that wears out, and how caution changes when it is replaced."""

import numpy as np
import scipy.sparse as sp

import shortfall as sf

# Five states of wear. To run on costs more the worse it is, and it may break down: 30 extra, and a
# new machine. To replace it costs 12.
WEAR = np.arange(5)
BREAKDOWN = 0.04 * WEAR

run_on = sp.lil_matrix((5, 5))
run_cost = sp.lil_matrix((5, 5))
for x in WEAR:
    worse = min(x + 1, 4)
    run_on[x, worse] = 1 - BREAKDOWN[x]
    run_cost[x, worse] = 1.0 + x
    if BREAKDOWN[x] > 0:
        run_on[x, 0] = BREAKDOWN[x]
        run_cost[x, 0] = 1.0 + x + 30.0
replace = sp.csr_matrix((np.ones(5), (WEAR, np.zeros(5, int))), shape=(5, 5))

model = sf.Mdp([run_on, replace], cost=[run_cost, 12.0 * replace])
print(model)

for tau in (0.1, 0.5, 0.9):
    best = sf.solve(model, sf.expectile(tau), gamma=0.95)
    assert best.status == "converged"
    wear = int(np.argmax(best.policy == 1))
    print(f"tau {tau}: replace at wear {wear}; cost from new {best.values[0]:.3f} ({best})")

# What the cautious policy costs someone who only counts the average, and the other way round.
cautious = sf.solve(model, "expectile:0.9", 0.95)
average = sf.solve(model, "mean", 0.95)
for name, policy in (("cautious", cautious.policy), ("average", average.policy)):
    mean = sf.evaluate(model, policy, "mean", 0.95).values[0]
    fear = sf.evaluate(model, policy, "expectile:0.9", 0.95).values[0]
    print(f"the {name} policy: {mean:.3f} on average, {fear:.3f} to the fearful")
    assert mean >= average.values[0] - 1e-5 and fear >= cautious.values[0] - 1e-5

# Would learning its value from transitions converge? Theory says when it must.
print(sf.check("expectile:0.9", 0.95, model, cautious.policy))
