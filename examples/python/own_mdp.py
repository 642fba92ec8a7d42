"""Define your own model: when to replace a machine that wears out, for three attitudes to risk."""

import numpy as np
import scipy.sparse as sp

import shortfall as sf

# Five levels of wear. Running costs more with more wear, and the machine may break down, which
# costs 30 extra and brings a new machine. Replacing it in time costs 12.
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

# Evaluate the risk-averse and the risk-neutral policy under both criteria.
averse = sf.solve(model, "expectile:0.9", 0.95)
neutral = sf.solve(model, "mean", 0.95)
for name, policy in (("risk-averse", averse.policy), ("risk-neutral", neutral.policy)):
    mean = sf.evaluate(model, policy, "mean", 0.95).values[0]
    risk = sf.evaluate(model, policy, "expectile:0.9", 0.95).values[0]
    print(f"{name} policy: mean {mean:.3f}, expectile:0.9 {risk:.3f}")
    assert mean >= neutral.values[0] - 1e-5 and risk >= averse.values[0] - 1e-5

# Is learning this value from transitions guaranteed to converge?
print(sf.check("expectile:0.9", 0.95, model, averse.policy))
