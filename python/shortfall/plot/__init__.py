"""Plots of what the package computes, for the notebook: each function draws into `ax`, or into a
figure of its own, and returns the axes. Needs Matplotlib, which nothing else in the package does.

Several results are given as a dictionary, name to result. Series differ in colour (Okabe and Ito's
palette, which the colour-blind can tell apart) and in line style or marker, too.
"""

from ._convergence import convergence
from ._curves import loss, trace
from ._distribution import cost_distribution
from ._policy_map import policy_map

__all__ = ["convergence", "cost_distribution", "loss", "policy_map", "trace"]
