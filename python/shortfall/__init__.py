"""Decisions under risk: Markov decision processes with dynamic shortfall risk.

A loss turns a random cost X into one number, its shortfall risk: the m for which the expected loss
of X - m is 0. Applied stage by stage to a Markov decision process, it gives every state a value.
This package computes values exactly (`solve`, `evaluate`) and online from transitions (`Td`,
`TdLambda`, `Newton`, and with the maps of `shortfall.features` `AveragerTd`, `AveragerNewton`;
`StreamRun` for files and pipes of transitions, with checkpoints).
`shortfall.inventory` is for perishable stock, `shortfall.gym` for agents that order it,
`shortfall.theory` for the conditions under which learning converges, `shortfall.library` for models
with known solutions, and `shortfall.plot` for figures.

>>> import shortfall as sf
>>> sf.risk([0.0, 1.0], [0.5, 0.5], "expectile:0.9")
0.9
"""

from typing import Any, Callable, Union

from . import features, gym, inventory, library, theory
from ._core import (
    Assumption,
    AveragerNewton,
    AveragerTd,
    Chain,
    Conditions,
    Curve,
    FiniteHorizonSolution,
    Interval,
    InvalidInput,
    IterationRecord,
    KnownConvergence,
    Learner,
    Loss,
    Mdp,
    Newton,
    Outcomes,
    OutputError,
    Progress,
    Replications,
    Solution,
    StreamRun,
    Td,
    TdLambda,
    __version__,
    check,
    entropic,
    evaluate,
    evaluate_finite_horizon,
    expectile,
    mean,
    piecewise,
    replicate,
    risk,
    soft_quantile,
    solve,
    solve_finite_horizon,
    truncated_entropic,
)

LossLike = Union[Loss, str, Callable[[Any], Any]]
"""Accepted wherever a loss is needed: a Loss, its name, or a function."""

__all__ = [
    "Assumption",
    "AveragerNewton",
    "AveragerTd",
    "Chain",
    "Conditions",
    "Curve",
    "FiniteHorizonSolution",
    "Interval",
    "InvalidInput",
    "IterationRecord",
    "KnownConvergence",
    "Learner",
    "Loss",
    "LossLike",
    "Mdp",
    "Newton",
    "Outcomes",
    "OutputError",
    "Progress",
    "Replications",
    "Solution",
    "StreamRun",
    "Td",
    "TdLambda",
    "__version__",
    "check",
    "entropic",
    "evaluate",
    "evaluate_finite_horizon",
    "expectile",
    "features",
    "gym",
    "inventory",
    "library",
    "mean",
    "piecewise",
    "replicate",
    "risk",
    "soft_quantile",
    "solve",
    "solve_finite_horizon",
    "theory",
    "truncated_entropic",
]
