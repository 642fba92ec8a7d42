"""Perishable stock: the optimal orders and simpler ones, exactly, by simulation, and learned.

An Inventory is made from arrays or read from a configuration file of the command line; orders are
arrays with one number for each of its states.
"""

from ._core.inventory import (
    Estimate,
    Inventory,
    InventorySolution,
    NonPerishable,
    Simulation,
    Training,
    TrainingRecord,
    base_stock_orders,
    empirical_demand,
    estimate,
    evaluate,
    explicit_mdp,
    myopic_orders,
    negative_binomial_demand,
    non_perishable,
    poisson_demand,
    read_orders,
    reorder_orders,
    risk_neutral_orders,
    simulate,
    solve,
    static_orders,
    train,
    write_orders,
)

__all__ = [
    "Estimate",
    "Inventory",
    "InventorySolution",
    "NonPerishable",
    "Simulation",
    "Training",
    "TrainingRecord",
    "base_stock_orders",
    "empirical_demand",
    "estimate",
    "evaluate",
    "explicit_mdp",
    "myopic_orders",
    "negative_binomial_demand",
    "non_perishable",
    "poisson_demand",
    "read_orders",
    "reorder_orders",
    "risk_neutral_orders",
    "simulate",
    "solve",
    "static_orders",
    "train",
    "write_orders",
]
