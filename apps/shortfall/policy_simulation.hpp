#pragma once

#include <cstdint>
#include <string>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {

struct SimulationSize {
  std::uint64_t periods = 365;
  std::uint64_t replications = 10000;
};

void add_simulation_size(const Grammar& grammar, SimulationSize& size);

/// Options of a simulation.
struct SimulationPlan {
  SimulationSize size;
  GeneralOptions general;
};

/// Simulates orders and shows progress under `name`. Throws Stopped.
inventory::SimulationResult simulate_orders(const io::InventoryConfiguration& configuration,
                                            const Policy& orders, const SimulationPlan& plan,
                                            const std::string& name, CommandMonitor& watch);

}  // namespace shortfall::app
