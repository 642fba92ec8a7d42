#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "inventory_command.hpp"
#include "shortfall/inventory/train.hpp"
#include "training_run.hpp"

/// What a training found, for people and as JSON.
namespace shortfall::app {

/// A point trained.
struct Trained {
  inventory::TrainingState state;
  double optimal_at_empty = 0.0;
  double optimal_error_bound = 0.0;
  std::vector<Gap> gap = {};          ///< by entry of the trace
  Status status = Status::converged;  ///< of optimum and best orders
  double seconds = 0.0;

  const inventory::TrainingRecord& best() const { return state.trace[state.best]; }
  const Gap& best_gap() const { return gap[state.best]; }
  /// Whether the last estimate was far from what it estimated, the exact value before it.
  bool is_estimate_far() const;
};

nlohmann::json json_of(const InventoryTrainOptions& options, const InventoryPoint& point,
                       const Trained& trained);

/// Iteration by iteration.
std::string text_of(const InventoryTrainOptions& options, const InventoryPoint& point,
                    const Trained& trained);

/// A line for each point of a sweep.
std::string text_of(const InventoryTrainOptions& options, const std::vector<InventoryPoint>& points,
                    const std::vector<Trained>& trained);

}  // namespace shortfall::app
