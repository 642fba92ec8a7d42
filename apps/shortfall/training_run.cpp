#include "apps/shortfall/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/inventory_identity.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::app {
namespace {

/// In the words that checkpoints have always had.
io::RecordedOptions recorded(const TrainingRunOptions& options) {
  const inventory::TrainingOptions training = options.training();
  io::RecordedOptions list = inventory::recorded_options(training);
  for (auto& [name, value] : list) {
    if (name == "improvement") value = fmt::format("{} scenarios", training.scenarios);
    if (name == "warmup" && value == "none") value = "0";
    name.insert(0, "--");
  }
  return list;
}

}  // namespace

inventory::TrainingOptions TrainingRunOptions::training() const {
  inventory::TrainingOptions options = learning;
  options.scenarios = inventory::parse_improvement(improvement).value();
  if (!features.empty()) options.features = inventory::parse_feature_set(features).value();
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.seed = seed;
  options.threads = threads;
  return options;
}

inventory::FeatureSet TrainingRunOptions::stock_features() const {
  return inventory::features_for(learning.algorithm, training().features);
}

TrainingRun::TrainingRun(const TrainingRunOptions& options, const InventoryPoint& point,
                         InventorySolver& solver)
    : options_(options), point_(point), run_(options.checkpoint, training_checkpoint_kind) {
  std::optional<inventory::TrainingState> state = load();
  const bool is_new = !state;
  if (is_new) {
    const Solution solution = solver.solve(point.configuration, "optimal");
    solver.watch().check();
    optimum_ = {solution.values.front(), solution.error_bound, solution.status};
    state.emplace();
  }
  begin(solver.watch(), std::move(*state));
  solver.watch().check();
  if (is_new) save();
}

void TrainingRun::begin(CommandMonitor& watch, inventory::TrainingState state) {
  inventory::TrainingOptions options = options_.training();
  options.monitor = watch.monitor();
  try {
    training_.emplace(point_.configuration.model, point_.configuration.criterion,
                      std::move(options), std::move(state));
  } catch (const InvalidField& error) {  // the samples that it needs depend on the features
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", options_.config, error.what()));
  }
}

/// The checkpoint, or nothing if there is none.
std::optional<inventory::TrainingState> TrainingRun::load() {
  inventory::TrainingState state;
  const bool is_resumed = run_.load([&](io::StateReader& saved) {
    std::string before;
    saved(before);
    if (before != io::identity(point_.configuration)) {
      throw InvalidInput(
          fmt::format("{}: the checkpoint does not belong to this inventory; accepted: a "
                      "checkpoint of the same inventory, or another file",
                      run_.path()));
    }
    try {
      run_.check_recorded(recorded(options_), saved);
    } catch (const io::ChangedOption& changed) {
      throw InvalidInput(changed.message([](const std::string& option) { return "--" + option; }));
    }
    optimum_.archive(saved);
    state.archive(saved);
  });
  return is_resumed ? std::optional(std::move(state)) : std::nullopt;
}

void TrainingRun::save() {
  if (!run_.has_checkpoint()) return;
  const auto write = [&](io::StateWriter& saved) {
    saved(io::identity(point_.configuration));
    archive(saved, recorded(options_));
    optimum_.archive(saved);
    inventory::TrainingState state = training_->state();
    state.archive(saved);
  };
  run_.save(write, [&] { print_save_failure(run_.save_error(), "training"); });
}

void TrainingRun::train(const std::function<void(const inventory::TrainingRecord&)>& on_iteration) {
  while (state().trace.size() <= options_.iterations && training_->iterate()) {
    save();
    on_iteration(state().trace.back());
  }
}

Gap TrainingRun::gap(const inventory::TrainingRecord& record) const {
  const auto percent = [&](double excess) {
    return excess > 0.0 ? 100.0 * excess / optimum_.value : 0.0;
  };
  return {percent(record.value_at_empty - optimum_.value),
          percent(record.error_bound + optimum_.error_bound)};
}

Status TrainingRun::status() const {
  if (state().trace.size() <= options_.iterations) return Status::stopped;
  return is_success(optimum_.status) ? best().status : optimum_.status;
}

}  // namespace shortfall::app
