"""Values of platelet orders from samples: a small neural network beside linear features.

The network learns by semi-gradient UBSR-TD with a target network; the loss of the library becomes
an autograd function. Linear features learn by UBSR-Newton: the polynomials of the paper, and random
hinges and waves. All see equally many simulated days, and all are compared with the exact values of
all states. Needs PyTorch (Debian: python3-torch). `--quick`: a shorter shelf life.
"""

# mypy: allow-subclassing-any

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import shortfall as sf
from shortfall import inventory
from shortfall.inventory import Inventory

try:
    import torch
except ImportError:
    print("PyTorch is not installed: nothing to show. On Debian: apt-get install python3-torch")
    sys.exit(0)

EXAMPLES = Path(__file__).resolve().parents[1]
Values = NDArray[np.float64]


@dataclass
class Scale:
    """How much is done."""

    plan: str
    products: int  # products of two ages among the polynomials; random features of the same number
    wide: int  # a larger number of random features
    periods: int  # simulated days to learn from
    visits: int  # simulated days for the frequencies of states
    width: int  # of both hidden layers
    steps: int  # of the network
    batch: int
    seeds: int  # of random features and of networks


# Few paths, but long ones: the mean over short ones would keep their bias.
TRAJECTORIES = 4
FULL = Scale("platelets8.toml", 28, 128, 1_000_000, 4_000_000, 64, 6_000, 1024, 2)
QUICK = Scale("platelets3.toml", 3, 12, 60_000, 200_000, 16, 1_500, 512, 2)


def elementwise(function: Any, x: Any) -> Any:
    """A function of the library, of each number of a tensor."""
    return torch.from_numpy(np.asarray(function(x.detach().double().numpy()))).to(x.dtype)


class ShortfallLoss(torch.autograd.Function):
    """The loss of each number, with its slope as the derivative."""

    @staticmethod
    def forward(ctx: Any, x: Any, loss: sf.Loss) -> Any:
        ctx.save_for_backward(x)
        ctx.loss = loss
        return elementwise(loss, x)

    @staticmethod
    def backward(ctx: Any, *gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        return gradient[0] * elementwise(ctx.loss.slope, x), None


class ShortfallScore(torch.autograd.Function):
    """The integral of the loss, with the loss as the derivative. The v that minimises the mean score
    of X - v is the shortfall risk of X, as the mean minimises the mean square.
    """

    @staticmethod
    def forward(ctx: Any, x: Any, loss: sf.Loss) -> Any:
        ctx.save_for_backward(x)
        ctx.loss = loss
        return elementwise(loss.score, x)

    @staticmethod
    def backward(ctx: Any, *gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        return gradient[0] * ShortfallLoss.apply(x, ctx.loss), None


class Network(torch.nn.Module):
    """The value if nothing perished, plus a correction by two hidden layers."""

    def __init__(self, inputs: int, width: int, unit: float) -> None:
        super().__init__()
        self.unit = unit
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(inputs, width),
            torch.nn.ReLU(),
            torch.nn.Linear(width, width),
            torch.nn.ReLU(),
            torch.nn.Linear(width, 1),
        )

    def forward(self, points: Any, guess: Any) -> Any:
        return guess + self.unit * self.layers(points).squeeze(1)


@dataclass
class Inputs:
    """What the network sees of every state."""

    points: Any
    guess: Any  # the value if nothing perished
    unit: float

    @staticmethod
    def of(stock: Inventory) -> Inputs:
        units = stock.stocks.astype(float)
        guess = inventory.non_perishable(stock).value[0][units.sum(axis=1).astype(int)]
        typical, unit = stock.capacity / stock.shelf_life, float(guess.std())
        columns = [units / typical - 1.0, (guess[:, None] - guess.mean()) / unit]
        points = torch.tensor(np.hstack(columns), dtype=torch.float32)
        return Inputs(points, torch.tensor(guess, dtype=torch.float32), unit)


def restart_probability(stock: Inventory) -> float:
    """That of `estimate`, so that network and linear features see the same distribution."""
    return 0.9 * (1.0 - stock.gamma**2)


def learn_network(
    stock: Inventory, orders: NDArray[np.int32], inputs: Inputs, scale: Scale, seed: int
) -> tuple[Values, int]:
    """The values of all states, and the number of weights."""
    restart = restart_probability(stock)
    path = inventory.sample_path(
        stock, orders, periods=scale.periods, restart=restart, seed=1000 + seed
    )
    state = torch.from_numpy(path[0].astype(np.int64))
    cost = torch.from_numpy(path[1].astype(np.float32))
    next_state = torch.from_numpy(path[2].astype(np.int64))
    torch.manual_seed(seed)
    network = Network(inputs.points.shape[1], scale.width, inputs.unit)
    target = Network(inputs.points.shape[1], scale.width, inputs.unit)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, scale.steps, eta_min=1e-5)
    target_every = scale.steps // 60  # the error of an old target shrinks by gamma each time
    # A unit of cost that makes gradients of order one.
    weight = 1.0 / inputs.unit**2
    for step in range(scale.steps):
        if step % target_every == 0:
            target.load_state_dict(network.state_dict())
        rows = torch.randint(len(state), (scale.batch,))
        now, then = state[rows], next_state[rows]
        with torch.no_grad():
            later = cost[rows] + stock.gamma * target(inputs.points[then], inputs.guess[then])
        error = later - network(inputs.points[now], inputs.guess[now])
        # Its gradient is -loss(error) times that of the value: the update of UBSR-TD.
        objective = weight * ShortfallScore.apply(error, stock.loss).mean()
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        values = network(inputs.points, inputs.guess).double().numpy()
    return values, sum(each.numel() for each in network.parameters())


def linear_values(stock: Inventory, features: str, theta: Values) -> Values:
    """phi @ theta for all states, in parts that fit into memory."""
    parts = []
    for begin in range(0, stock.states, 65536):
        states = np.arange(begin, min(begin + 65536, stock.states))
        parts.append(inventory.stock_features(stock, features=features, states=states) @ theta)
    return np.concatenate(parts)


def best_fit(stock: Inventory, features: str, q: Values, exact: Values) -> Values:
    """The values of the weights whose q-weighted error is the smallest possible."""
    visited = np.flatnonzero(q)
    gram: Any = 0.0
    moment: Any = 0.0
    for part in np.array_split(visited, max(1, len(visited) // 65536)):
        phi = inventory.stock_features(stock, features=features, states=part)
        weighted = phi * q[part, None]
        gram, moment = gram + weighted.T @ phi, moment + weighted.T @ exact[part]
    units = np.sqrt(np.diag(gram))
    units[units == 0.0] = 1.0
    theta, *_ = np.linalg.lstsq(gram / np.outer(units, units), moment / units, rcond=1e-13)
    return linear_values(stock, features, theta / units)


@dataclass
class Judge:
    """Compares values with the exact ones of a policy, and their greedy orders with the optimum."""

    stock: Inventory
    exact: Values
    q: Values  # frequencies of states under the policy
    optimum: float

    def error(self, values: Values) -> float:
        return float(np.sqrt(self.q @ (values - self.exact) ** 2))

    def gap(self, values: Values) -> float:
        """In percent of the optimum, from the empty stock."""
        orders = inventory.greedy_orders(self.stock, values)
        greedy = inventory.evaluate(self.stock, orders, tolerance=1e-4, start=self.exact)
        gap = 100.0 * (float(greedy.values[0]) / self.optimum - 1.0)
        assert gap > -1e-3  # nothing is better than the optimum
        return max(gap, 0.0)


def spread(numbers: list[float], form: str) -> str:
    """The median, with the range of several seeds."""
    middle = format(float(np.median(numbers)), form)
    if len(numbers) == 1:
        return middle
    return f"{middle} ({format(min(numbers), form)} to {format(max(numbers), form)})"


def study(name: str, orders: NDArray[np.int32], judge: Judge, scale: Scale) -> list[list[str]]:
    """One row for each way to represent the values of these orders."""
    stock, exact = judge.stock, judge.exact
    own = 100.0 * (float(exact[0]) / judge.optimum - 1.0)
    inputs = Inputs.of(stock)
    guess = inputs.guess.double().numpy()
    rows = [
        ["exact", "-", "0", "0", f"{judge.gap(exact):.4f}"],
        ["value if nothing perished", "-", "-", f"{judge.error(guess):.3f}"]
        + [f"{judge.gap(guess):.4f}"],
    ]
    print(f"{name} orders cost {exact[0]:.4f} from the empty stock, {own:.4f} % above the optimum.")
    mean = float(judge.q @ exact)
    deviation = float(np.sqrt(judge.q @ (exact - mean) ** 2))
    print(f"Where they lead, values are {mean:.3f} on average, with a deviation of {deviation:.3f}.")
    sets = [["polynomial"]]
    for kind in ("relu", "fourier"):
        for count in (scale.products, scale.wide):
            sets.append([f"{kind}:{count},{seed}" for seed in range(1, scale.seeds + 1)])
    for variants in sets:
        floors, errors, gap, weights = [], [], 0.0, 0
        for features in variants:
            learned = inventory.estimate(
                stock,
                orders,
                samples=scale.periods,
                trajectories=TRAJECTORIES,
                features=features,
            )
            values = linear_values(stock, features, learned.theta)
            floors.append(judge.error(best_fit(stock, features, judge.q, exact)))
            errors.append(judge.error(values))
            gap = judge.gap(values) if features == variants[0] else gap
            weights = len(learned.theta)
        title = variants[0].split(",")[0]
        rows.append(
            [f"Newton, {title}", str(weights), spread(floors, ".3f"), spread(errors, ".3f")]
            + [f"{gap:.4f}"]
        )
        print(*rows[-1], sep="  ", flush=True)
    errors, gap, weights = [], 0.0, 0
    for seed in range(1, scale.seeds + 1):
        values, weights = learn_network(stock, orders, inputs, scale, seed)
        errors.append(judge.error(values))
        gap = judge.gap(values) if seed == 1 else gap
    title = f"network, {scale.width} + {scale.width} hidden units"
    rows.append([title, str(weights), "-", spread(errors, ".3f"), f"{gap:.4f}"])
    print(*rows[-1], sep="  ", flush=True)
    return rows


def main(scale: Scale, policy: str) -> None:
    stock = Inventory.from_toml(EXAMPLES / scale.plan, set={"risk.loss": "expectile:0.9"})
    print(stock)
    best = inventory.solve(stock)
    orders = best.policy if policy == "optimal" else inventory.static_orders(stock)
    exact = inventory.evaluate(stock, orders).values
    state, _, _ = inventory.sample_path(stock, orders, periods=scale.visits, seed=99)
    q = np.bincount(state, minlength=stock.states) / len(state)
    header = ["values", "weights", "best fit", "q-weighted error", "gap of greedy orders, %"]
    judge = Judge(stock, exact, q, float(best.values[0]))
    table = [header, *study(policy.capitalize(), orders, judge, scale)]
    print()
    widths = [max(map(len, column)) for column in zip(*table)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a shorter shelf life")
    parser.add_argument(
        "--policy", choices=["static", "optimal"], default="static", help="whose values are learned"
    )
    arguments = parser.parse_args()
    main(QUICK if arguments.quick else FULL, arguments.policy)
