#pragma once

/// Perishable stock: from daily records to a plan, its solution and today's order.
///
///   const auto records = io::read_records_csv("records.csv", {.shelf_life = 5});
///   const auto fit = inventory::fit_records(records, {.shelf_life = 5});
///   const auto [model, criterion] = io::fitted_plan(fit).configuration;
///   const auto solution = inventory::solve(model, criterion);

#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/backtest.hpp"
#include "shortfall/inventory/plan/order.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/risk.hpp"
