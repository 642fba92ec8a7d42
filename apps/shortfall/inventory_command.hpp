#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/inventory_arguments.hpp"
#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/sweep.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/inventory/baselines.hpp"

/// Shared by the inventory commands: the instances of a run, and the solver with its options.
namespace shortfall::app {

/// The configuration with the overrides of --set, and of one point of --sweep.
struct InventoryPoint {
  SweepPoint set;
  io::InventoryConfiguration configuration;

  std::string name() const;  ///< "risk.tau=0.1 cost.order=20"; empty without sweep
};

/// All points, so that an invalid one is reported before any work is done. Throws InvalidInput if
/// the processes read different ones.
std::vector<InventoryPoint> inventory_points(const InventoryOptions& options,
                                             const Processes& processes = {});

/// Solves and evaluates with the options of a command. Each point of a sweep begins anew: the
/// values of another point are no better a start than the non-perishable optimum (docs/design.md).
class InventorySolver {
 public:
  InventorySolver(const InventoryOptions& options, CommandMonitor& watch,
                  const Processes& processes = {})
      : options_(options), watch_(watch), processes_(processes) {}

  /// `name` is shown in progress messages.
  Solution solve(const io::InventoryConfiguration& configuration, const std::string& name);
  /// The same, and the optimum if nothing perished, which is where the certified solver starts.
  std::pair<Solution, inventory::NonPerishable> solve_with_non_perishable(
      const io::InventoryConfiguration& configuration, const std::string& name);
  Solution evaluate(const io::InventoryConfiguration& configuration, const Policy& orders,
                    const std::string& name);

  CommandMonitor& watch() { return watch_; }
  const Processes& processes() const { return processes_; }

 private:
  bool as_published() const { return options_.stopping == Stopping::paper; }
  template <class Work>
  Solution run(const std::string& name, const Work& work) const;
  SolverOptions solver_options(const std::string& name) const;

  const InventoryOptions& options_;
  CommandMonitor& watch_;
  Processes processes_;
};

}  // namespace shortfall::app
