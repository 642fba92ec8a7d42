#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/training_run.hpp"
#include "shortfall/inventory/train.hpp"

/// The result of a training as text and as JSON.
namespace shortfall::app {

/// The training of one point.
struct Trained {
  inventory::TrainingState state;
  double optimal_at_empty = 0.0;
  double optimal_error_bound = 0.0;
  std::vector<Gap> gap = {};          ///< one per entry of the trace
  Status status = Status::converged;  ///< of optimum and best orders
  double seconds = 0.0;

  const inventory::TrainingRecord& best() const { return state.trace[state.best]; }
  const Gap& best_gap() const { return gap[state.best]; }
  /// Whether the last estimate was far from the exact value that it estimates.
  bool is_estimate_far() const;
};

nlohmann::json training_json(const TrainingRunOptions& options, const InventoryPoint& point,
                             const Trained& trained);

/// One row per iteration.
std::string training_text(const TrainingRunOptions& options, const InventoryPoint& point,
                          const Trained& trained);

/// One row per point of a sweep.
std::string training_sweep_text(const TrainingRunOptions& options,
                                const std::vector<InventoryPoint>& points,
                                const std::vector<Trained>& trained);

}  // namespace shortfall::app
