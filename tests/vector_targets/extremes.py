"""Difficult laws and models from a seed: huge and tiny costs, probabilities near the smallest numbers,
losses at the ends of their ranges, rows of all lengths."""

LOSSES = ("mean", "expectile:0.9", "expectile:0.001", "expectile:0.999999999", "entropic:1",
          "entropic:1e-300", "entropic:1e300", "entropic:3e-7", "entropic:40000",
          "truncated-entropic:1,700", "truncated-entropic:0.01,50", "truncated-entropic:300,0.02",
          "soft-quantile:0.3,4", "soft-quantile:0.99,1e6", "piecewise:-1:-0.1,0:0,1:5,2:1e10",
          "piecewise:-1:-1e-6,0:0,1:1e6", "piecewise:-2:-1e9,-1:-1,0:0,1:1")
METHODS = ("adaptive", "policy-iteration", "modified-policy-iteration", "value-iteration",
           "gauss-seidel")
COSTS = (lambda random: random.choice((0.0, -0.0, 1.0, -1.0)),
         lambda random: random.uniform(-1, 1) * 10 ** random.uniform(-300, 300),
         lambda random: random.choice((1e300, -1e300, 5e307, -5e307, 1.0)) * random.random(),
         lambda random: random.choice((5e-324, 1e-310, -1e-310, 2e-308, 0.0)),
         lambda random: random.gauss(0, 1),
         lambda random: 1e8 + random.random() * 1e-6)


def probabilities(random, count):
    shares = [random.random() + 1e-3 for _ in range(count)]
    kind = random.randrange(3)
    if kind == 1:
        shares = [share * 10 ** -random.uniform(0, 20) for share in shares]
    if kind == 2:  # the first stays, so that the sum is no tiny number
        shares[1:] = [share if random.random() < 0.5 else 10 ** -random.uniform(250, 307)
                      for share in shares[1:]]
    total = sum(shares)
    return [share / total for share in shares]


def risk(random):
    """Arguments and standard input of a command."""
    cost = random.choice(COSTS)
    rows = [f"{cost(random)!r},{p!r}\n" for p in probabilities(random, random.randint(1, 70))]
    return (["risk", "-", "--loss", random.choice(LOSSES), "--json"],
            "value,probability\n" + "".join(rows))


def solve(random):
    """Arguments and standard input of a command."""
    cost, states = random.choice(COSTS), random.choice((1, 2, 3, 5, 9, 17, 80))
    rows = ["idstatefrom,idaction,idstateto,probability,cost\n"]
    for state in range(states):
        for action in range(random.choice((1, 1, 2, 3))):
            following = random.sample(range(states), min(states, random.choice((3, 8, 70))))
            rows += [f"{state},{action},{to},{p!r},{cost(random)!r}\n"
                     for to, p in zip(following, probabilities(random, len(following)))]
    arguments = ["solve", "-", "--loss", random.choice(LOSSES), "--json", "--max-iterations", "30",
                 "--gamma", random.choice(("0.001", "0.5", "0.9", "0.999", "0.9999999")),
                 "--method", random.choice(METHODS)]
    return arguments, "".join(rows)
