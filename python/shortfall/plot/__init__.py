"""Plots of results, for notebooks. Each function draws into `ax`, or into a new figure, and returns
the axes. Requires Matplotlib, which the rest of the package does not need.

To draw several results, pass a dictionary from names to results. Series differ in colour (Okabe and
Ito's palette, safe for colour-blind readers) and also in line style or marker.
"""

from ._convergence import convergence
from ._curves import loss, trace
from ._distribution import cost_distribution
from ._policy_map import policy_map

__all__ = ["convergence", "cost_distribution", "loss", "policy_map", "trace"]
