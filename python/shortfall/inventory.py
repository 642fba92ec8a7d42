"""Ordering for perishable stock: optimal orders, simpler rules, simulation, learned orders, and the
report for planners.

An Inventory is built from arrays or read from a configuration file of the command line. Orders are
arrays with one number per state.
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
    report,
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
    "report",
    "risk_neutral_orders",
    "simulate",
    "solve",
    "static_orders",
    "train",
    "write_orders",
]
