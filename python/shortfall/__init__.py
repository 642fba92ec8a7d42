"""Decisions under risk: Markov decision processes with dynamic shortfall risk.

A loss turns a random cost X into one number, its shortfall risk: the m at which the expected loss of
X - m is 0. Nested along a Markov decision process it gives every state a value. This package
computes it exactly (`solve`, `evaluate`), online from transitions (`Td`, `TdLambda`, `Newton`), and
for perishable stock (`shortfall.inventory`); `shortfall.theory` has the conditions under which
learning converges, `shortfall.library` models that know their answers, `shortfall.plot` pictures.

>>> import shortfall as sf
>>> sf.risk([0.0, 1.0], [0.5, 0.5], "expectile:0.9")
0.9
"""

from typing import Any, Callable, Union

from . import inventory, library, theory
from ._core import (
    Assumption,
    Chain,
    Conditions,
    Course,
    FiniteHorizonSolution,
    InvalidInput,
    IterationRecord,
    Learner,
    Loss,
    Mdp,
    Newton,
    Outcomes,
    OutputError,
    Replications,
    Solution,
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
"""What is taken wherever a loss is meant: a Loss, its word, or a function."""

__all__ = [
    "Assumption",
    "Chain",
    "Conditions",
    "Course",
    "FiniteHorizonSolution",
    "InvalidInput",
    "IterationRecord",
    "Learner",
    "Loss",
    "LossLike",
    "Mdp",
    "Newton",
    "Outcomes",
    "OutputError",
    "Replications",
    "Solution",
    "Td",
    "TdLambda",
    "__version__",
    "check",
    "entropic",
    "evaluate",
    "evaluate_finite_horizon",
    "expectile",
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
