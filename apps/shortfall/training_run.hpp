#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "checkpoint/resumable_run.hpp"
#include "shortfall/inventory/train/train.hpp"

namespace shortfall::app {

struct TrainingRunOptions : InventoryOptions {
  inventory::TrainingOptions learning;  ///< those that are not in InventoryOptions
  std::uint64_t iterations = 20;
  std::string improvement = "exact";  ///< as inventory::parse_improvement reads it
  std::string features;               ///< as inventory::parse_feature_set reads it; empty: default
  std::string checkpoint;             ///< empty: none

  inventory::TrainingOptions training() const;
  /// Those of --features, or of --algorithm.
  inventory::FeatureSet stock_features() const;
};

inline constexpr auto training_checkpoint_kind = "inventory train";

/// A training of one inventory, its checkpoint, and the optimum to compare with.
class TrainingRun {
 public:
  /// Solves for the optimum and starts, or resumes from the checkpoint if there is one. Throws
  /// Stopped, and InvalidInput if the checkpoint is of other options, which it names, or of another
  /// inventory.
  TrainingRun(const TrainingRunOptions& options, const InventoryPoint& point,
              InventorySolver& solver);

  /// Trains up to --iterations, with a checkpoint and a call of `on_iteration` after each
  /// iteration, or until stopped. A checkpoint that cannot be written is tried again after the next
  /// one.
  void train(const std::function<void(const inventory::TrainingRecord&)>& on_iteration);

  const inventory::TrainingState& state() const { return training_->state(); }
  const inventory::TrainingRecord& best() const { return training_->best(); }
  double optimal_at_empty() const { return optimum_.value; }
  double optimal_error_bound() const { return optimum_.error_bound; }
  /// How far orders are above the optimum at the empty stock, in percent of it, and the uncertainty
  /// from the error bounds of both values. A value below the optimum, possible within these bounds,
  /// counts as a gap of 0. Infinite if the optimum is 0 and the value is not.
  Gap gap(const inventory::TrainingRecord& record) const;
  /// The status of the optimum, or that of the best orders if the optimum converged; stopped if
  /// iterations are missing.
  Status status() const;
  /// Why the last checkpoint could not be written; empty if it was.
  const std::string& save_error() const { return run_.save_error(); }

  struct Optimum {
    double value = 0.0;
    double error_bound = infinity;
    Status status = Status::iteration_limit;

    template <class Archive>
    void archive(Archive& state) {
      state(value);
      state(error_bound);
      state(status);
      state.check([this] { inventory::check_status(status); });
    }
  };

 private:
  std::optional<inventory::TrainingState> load();
  void begin(CommandMonitor& watch, inventory::TrainingState state);
  void save();

  const TrainingRunOptions& options_;
  const InventoryPoint& point_;
  io::ResumableRun run_;
  Optimum optimum_;
  std::optional<inventory::Training> training_;
};

/// The training of one point.
struct Trained {
  inventory::TrainingState state;
  double optimal_at_empty = 0.0;
  double optimal_error_bound = infinity;
  std::vector<Gap> gap = {};                ///< one per entry of the trace
  Status status = Status::iteration_limit;  ///< of optimum and best orders
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
