#pragma once

#include <map>
#include <string>
#include <vector>

#include "inventory_sweep.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/io/inventory_toml.hpp"

/// What the commands of an inventory work with: the instances they are asked about, and the solver
/// with its options.
namespace shortfall::app {

/// The configuration with what --set says, or a point of a sweep over it.
struct InventoryPoint {
  SweepPoint set;
  io::InventoryConfiguration configuration;

  std::string name() const;  ///< "risk.tau=0.1 cost.order=20"; empty without sweep
};

/// All of them, so that the last is known to be valid before the first is worked on.
std::vector<InventoryPoint> inventory_points(const InventoryOptions& options);

/// Solves and evaluates under the options of a command, each time from the last values that the
/// same policy had at another point.
class InventorySolver {
 public:
  InventorySolver(const InventoryOptions& options, Progress& progress)
      : options_(options), progress_(progress) {}

  /// `name` is what progress calls it, and whose last values to begin from.
  Solution solve(const io::InventoryConfiguration& configuration, const std::string& name);
  Solution evaluate(const io::InventoryConfiguration& configuration, const Policy& orders,
                    const std::string& name);

  Progress& progress() { return progress_; }

 private:
  bool as_published() const { return options_.stopping == "paper"; }
  template <class Work>
  Solution run(const std::string& name, std::size_t states, const Work& work);
  SolverOptions solver_options(const std::string& name, std::size_t states) const;

  const InventoryOptions& options_;
  Progress& progress_;
  std::map<std::string, std::vector<double>> last_values_;
};

}  // namespace shortfall::app
