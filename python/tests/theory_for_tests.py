"""Shared by the theory tests: an expectile and chains, reimplemented in NumPy."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import shortfall as sf
from shortfall import theory

EXPECTILE = 0.7
GAMMA = 0.4  # below 3/7, the limit of this expectile


def expectile(x: Any, tau: float = EXPECTILE) -> np.ndarray:
    return np.where(x > 0, tau * x, (1 - tau) * x)


class RandomChain:
    """A chain with positive probabilities, as a Chain and as plain arrays."""

    def __init__(self, seed: int, states: int = 6, features: int = 3) -> None:
        draw = np.random.default_rng(seed)
        self.P = draw.dirichlet(np.ones(states), size=states)
        self.c = draw.normal(10.0, 10.0, size=(states, states))
        self.phi = draw.normal(size=(states, features))
        self.draw = draw
        self.chain = sf.Mdp([self.P], cost=[self.c]).under_policy()
        weights, vectors = np.linalg.eig(self.P.T)
        q = np.real(vectors[:, np.argmax(np.real(weights))])
        self.q = q / q.sum()

    def residual(self, loss: Callable[[Any], Any], gamma: float, values: np.ndarray) -> np.ndarray:
        """E loss(c + gamma V(X') - V(x)), one state and one outcome at a time."""
        result = np.zeros(len(values))
        for x in range(len(values)):
            for y in range(len(values)):
                delta = self.c[x, y] + gamma * values[y] - values[x]
                result[x] += self.P[x, y] * float(loss(delta))
        return result

    def field(
        self, loss: sf.LossLike = "expectile:0.7", gamma: float = GAMMA
    ) -> theory.MeanField:
        return theory.MeanField(self.chain, loss, gamma, self.phi, self.q)
