#include "apps/shortfall/policy_simulation.hpp"

#include "apps/shortfall/grammar.hpp"

namespace shortfall::app {

void add_simulation_size(const Grammar& grammar, SimulationSize& size) {
  add_count(grammar, "--periods", size.periods, inventory::max_periods, "Periods per replication");
  add_count(grammar, "--replications", size.replications, inventory::max_replications,
            "Simulated histories, each starting from an empty stock");
}

inventory::SimulationResult simulate_orders(const io::InventoryConfiguration& configuration,
                                            const Policy& orders, const SimulationPlan& plan,
                                            const std::string& name, CommandMonitor& watch) {
  inventory::SimulationResult result = inventory::simulate(configuration.model, orders,
                                                           {.periods = plan.size.periods,
                                                            .replications = plan.size.replications,
                                                            .gamma = configuration.criterion.gamma,
                                                            .seed = plan.general.seed,
                                                            .threads = plan.general.threads,
                                                            .monitor = watch.monitor(name)});
  watch.check();
  return result;
}

}  // namespace shortfall::app
