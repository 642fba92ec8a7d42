"""Small models that are known in the literature and, for the most part, know their own answer.

All are in costs; rewards are negative costs.
"""

from ._core.library import (
    Counterexample,
    RandomMdp,
    boyan_chain,
    boyan_features,
    boyan_final_cost,
    counterexample,
    forest,
    machine_replacement,
    random_mdp,
    river_swim,
    small_models,
)

__all__ = [
    "Counterexample",
    "RandomMdp",
    "boyan_chain",
    "boyan_features",
    "boyan_final_cost",
    "counterexample",
    "forest",
    "machine_replacement",
    "random_mdp",
    "river_swim",
    "small_models",
]
