#include "apps/shortfall/policy_simulation.hpp"

#include <fmt/format.h>

#include <mutex>

#include "apps/shortfall/grammar.hpp"

namespace shortfall::app {

void add_simulation_size(const Grammar& grammar, SimulationSize& size) {
  add_count(grammar, "--periods", size.periods, inventory::max_periods, "Periods per replication");
  add_count(grammar, "--replications", size.replications, inventory::max_replications,
            "Simulated histories, each starting from an empty stock");
}

inventory::SimulationResult simulate_orders(const io::InventoryConfiguration& configuration,
                                            const Policy& orders, const SimulationPlan& plan,
                                            const std::string& name, Progress& progress) {
  std::mutex mutex;
  inventory::SimulationOptions options{.periods = plan.size.periods,
                                       .replications = plan.size.replications,
                                       .gamma = configuration.criterion.gamma,
                                       .seed = plan.general.seed,
                                       .threads = plan.general.threads};
  options.on_progress = [&](std::size_t done) {
    const std::scoped_lock lock(mutex);
    if (!progress.due()) return;
    progress.show(fmt::format("{}: {} of {} replications", name, done, plan.size.replications));
  };
  return inventory::simulate(configuration.model, orders, options);
}

}  // namespace shortfall::app
