#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "apps/shortfall/training_report.hpp"
#include "apps/shortfall/training_run.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::app {
namespace {

std::string progress_line(const InventoryPoint& point, const TrainingRun& training,
                          const inventory::TrainingRecord& record) {
  const std::size_t left_out = record.singular + record.diverged;
  return fmt::format(
      "{}iteration {}: weights change {:.3g}, cost from empty {:.5f}, gap {:.4f} %{}",
      point.set.empty() ? "" : point.name() + ": ", record.iteration, record.change,
      record.value_at_empty, training.gap(record).percent,
      left_out == 0 ? "" : fmt::format(", {} trajectories left out", left_out));
}

Trained results_of(const TrainingRun& training, double seconds) {
  Trained trained{.state = training.state(),
                  .optimal_at_empty = training.optimal_at_empty(),
                  .optimal_error_bound = training.optimal_error_bound(),
                  .status = training.status(),
                  .seconds = seconds};
  for (const inventory::TrainingRecord& record : trained.state.trace) {
    trained.gap.push_back(training.gap(record));
  }
  return trained;
}

/// Trains one point. `save_error` receives why its last checkpoint could not be written, if so.
Trained train_point(const InventoryTrainOptions& options, const InventoryPoint& point,
                    InventorySolver& solver, std::string& save_error) {
  const Stopwatch stopwatch;
  TrainingRun training(options, point, solver);
  training.train([&](const inventory::TrainingRecord& record) {
    solver.progress().log(progress_line(point, training, record));
  });
  save_error = training.save_error();
  return results_of(training, stopwatch.seconds());
}

/// Prints each point where nothing was learned, and the reason of the first solver failure.
ExitCode exit_code_of(const InventoryTrainOptions& options,
                      const std::vector<InventoryPoint>& points,
                      const std::vector<Trained>& trained) {
  std::vector<Outcome> outcomes;
  bool learned = true;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    outcomes.push_back({trained[i].status,
                        std::max(trained[i].best().error_bound, trained[i].optimal_error_bound)});
    if (trained[i].state.has_learned()) continue;
    learned = false;
    fmt::print(stderr,
               "shortfall: {}nothing learned: no iteration had a usable trajectory; try "
               "more --samples, fewer --trajectories or another --algorithm\n",
               points[i].set.empty() ? "" : points[i].name() + ": ");
  }
  const ExitCode exact = exit_code_of(options, outcomes);
  return learned ? exact : no_answer;
}

}  // namespace

ExitCode run(const InventoryTrainOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  if (!options.policy_out.empty()) io::AtomicFile{options.policy_out};
  const std::vector<InventoryPoint> points = inventory_points(options);
  const Stopwatch stopwatch;
  std::vector<Trained> trained;
  std::vector<nlohmann::json> documents;
  std::string save_error;
  {
    Progress progress;
    InventorySolver solver(options, progress);
    for (const InventoryPoint& point : points) {
      trained.push_back(train_point(options, point, solver, save_error));
      if (options.json) documents.push_back(json_of(options, point, trained.back()));
      // A sweep keeps only what it prints of each point.
      if (points.size() > 1) trained.back().state.values.clear();
      if (points.size() > 1) trained.back().state.orders.clear();
      if (points.size() > 1) trained.back().state.best_orders.clear();
    }
  }
  const auto write_policy = [&] {
    if (options.policy_out.empty() || trained.front().status == Status::overflow) return;
    io::write_order_policy_csv(options.policy_out, points.front().configuration.model,
                               trained.front().state.best_orders);
  };
  write_then_print(write_policy, [&] {
    if (options.json) {
      print_json(document_of(options, std::move(documents), stopwatch.seconds()));
    } else if (options.sweep.empty()) {
      print(text_of(options, points.front(), trained.front()));
    } else {
      print(text_of(options, points, trained));
    }
  });
  if (!save_error.empty()) throw io::OutputError(save_error);
  return exit_code_of(options, points, trained);
}

}  // namespace shortfall::app
