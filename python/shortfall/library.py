"""Small models from the literature, most of them with known solutions.

All use costs; rewards are negative costs.
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
