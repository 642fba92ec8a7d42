"""Compare learners on your own model: curves with bands, beside the exact limit."""

import numpy as np

import shortfall as sf

# A queue of at most nine customers. One arrives with probability 0.4, one leaves with probability
# 0.5; waiting costs one per customer, and a customer who is turned away costs 20.
N, ARRIVE, LEAVE = 10, 0.4, 0.5
kernel = np.zeros((N, N))
cost = np.zeros((N, N))
for x in range(N):
    up, down = min(x + 1, N - 1), max(x - 1, 0)
    kernel[x, up] += ARRIVE
    kernel[x, down] += LEAVE
    kernel[x, x] += 1 - ARRIVE - LEAVE
    cost[x, :] = x
cost[N - 1, N - 1] += 20 * ARRIVE / kernel[N - 1, N - 1]
model = sf.Mdp([kernel], cost=[cost])
chain = model.under_policy([0] * N)

# Three features for ten states: the learners cannot represent the value, and have a limit Φθ*.
load = np.linspace(0, 1, N)
phi = np.column_stack([np.ones(N), load, load**2])
loss, gamma = "expectile:0.8", 0.9
q = sf.theory.stationary_law(chain).probability
field = sf.theory.MeanField(chain, loss, gamma, phi, q)
limit = phi @ sf.theory.projected_fixed_point(field).theta
value = sf.evaluate(model, [0] * N, loss, gamma).values
print(f"norm of the value {np.sqrt(q @ value**2):.3f}, "
      f"distance of the limit from it {np.sqrt(q @ (limit - value) ** 2):.3f}")

learners = {
    "TD": sf.Td(3, loss, gamma),
    "TD(0.6)": sf.TdLambda(3, loss, gamma, lambda_=0.6),
    "Newton": sf.Newton(3, loss, gamma),
}
runs = {
    name: sf.replicate(learner, chain, phi, q=q, fixed_point=limit, replications=10,
                       record_at=[10, 100, 1000, 10_000, 50_000])
    for name, learner in learners.items()
}
for name, run in runs.items():
    assert run.to_fixed_point is not None  # there is a limit
    print(f"{name}: {run.to_fixed_point.mean[-1]:.3f} from the limit at the end, "
          f"{run.diverged[-1]} of 10 runs diverged")

try:
    from shortfall import plot
except ImportError:
    print("install matplotlib for the curves")
else:
    plot.convergence(runs, reference="fixed_point").figure.savefig("learners.svg")
    print("learners.svg has the curves")
