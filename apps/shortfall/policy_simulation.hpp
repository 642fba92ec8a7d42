#pragma once

#include <string>

#include "apps/shortfall/options.hpp"
#include "apps/shortfall/progress.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {

/// Options of a simulation.
struct SimulationPlan {
  SimulationSize size;
  CommonOptions common;
};

/// Simulates orders and shows progress under `name`.
inventory::SimulationResult simulate_orders(const io::InventoryConfiguration& configuration,
                                            const Policy& orders, const SimulationPlan& plan,
                                            const std::string& name, Progress& progress);

}  // namespace shortfall::app
