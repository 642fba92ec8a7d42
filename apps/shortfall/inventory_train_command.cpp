#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/evaluation_arguments.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/training_run.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"

namespace shortfall::app {
namespace {

struct InventoryTrainOptions : TrainingRunOptions {
  std::string policy_out;
};

void check_samples(const InventoryTrainOptions& options) {
  const bool newton = is_newton(options.learning.algorithm);
  const std::uint64_t length = options.learning.samples / options.learning.trajectories;
  require(length >= (newton ? options.learning.warmup + 1 : 1),
          "--samples {} divided among --trajectories {} is {} each; accepted: {} each",
          options.learning.samples, options.learning.trajectories, length,
          newton ? fmt::format("more than --warmup {}", options.learning.warmup) : "at least 1");
}

void check_features(const InventoryTrainOptions& options) {
  require(options.features.empty() || inventory::parse_feature_set(options.features).has_value(),
          "--features is '{}'; accepted: {}", options.features, inventory::accepted_feature_sets());
  try {
    (void)options.stock_features();
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--{}", error.what()));
  }
}

void check_train(const InventoryTrainOptions& options) {
  check_is_file("--checkpoint", options.checkpoint);
  require(options.checkpoint.empty() || options.sweep.empty(),
          "--checkpoint with --sweep; accepted: one of them: a checkpoint holds one training");
  require(options.stopping == Stopping::certified,
          "--stopping paper with train; accepted: certified: trained orders are evaluated exactly");
  require(inventory::parse_improvement(options.improvement).has_value(),
          "--improvement is '{}'; accepted: exact, or sampled:S with S from 1 to {}",
          options.improvement, inventory::max_scenarios);
  check_features(options);
  check_samples(options);
}

std::string progress_line(const InventoryPoint& point, const TrainingRun& training,
                          const inventory::TrainingRecord& record) {
  const std::size_t left_out = record.singular + record.diverged;
  return fmt::format(
      "{}iteration {}: weights change {:.3g}, cost from empty {:.5f}, gap {:.4f} %{}",
      point.set.empty() ? "" : point.name() + ": ", record.iteration, record.change,
      record.value_at_empty, training.gap(record).percent,
      left_out == 0 ? ""
                    : fmt::format(", {} trajectories left out ({} singular, {} diverged)", left_out,
                                  record.singular, record.diverged));
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
    solver.watch().line().log(progress_line(point, training, record));
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
    if (trained[i].state.has_learned() || trained[i].status == Status::stopped) continue;
    learned = false;
    say(
        fmt::format("shortfall: {}nothing learned: no iteration had a usable trajectory; try "
                    "more --samples, fewer --trajectories or another --algorithm\n",
                    points[i].set.empty() ? "" : points[i].name() + ": "));
  }
  const ExitCode exact = exit_code_of(options, outcomes);
  return learned ? exact : no_answer;
}

ExitCode run_inventory_train(const InventoryTrainOptions& options) {
  const std::vector<InventoryPoint> points = inventory_points(options);
  const Stopwatch stopwatch;
  std::vector<Trained> trained;
  std::vector<nlohmann::json> documents;
  std::string save_error;
  {
    CommandMonitor watch;
    InventorySolver solver(options, watch);
    for (const InventoryPoint& point : points) {
      trained.push_back(train_point(options, point, solver, save_error));
      if (points.size() > 1) watch.check();
      if (options.json) documents.push_back(training_json(options, point, trained.back()));
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
      print(training_text(options, points.front(), trained.front()));
    } else {
      print(training_sweep_text(options, points, trained));
    }
  });
  if (!save_error.empty()) throw io::OutputError(save_error);
  return exit_code_of(options, points, trained);
}

}  // namespace

void add_inventory_train(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryTrainOptions>();
  const Grammar grammar =
      group.add("train", "Learn orders from samples and compare them with the optimum",
                [options] { return run_inventory_train(*options); });
  add_inventory_options(grammar, *options, Randomness::seeded);
  add_choice(grammar, "--algorithm", options->learning.algorithm, inventory::training_algorithms,
             "Algorithm that evaluates the orders: td, newton, averager-td or averager-newton");
  add_count(grammar, "--iterations", options->iterations, 1'000'000,
            "Rounds of evaluation and improvement, starting from the myopic orders");
  add_count(grammar, "--samples", options->learning.samples, inventory::max_periods,
            "Simulated periods per evaluation, after 5000 that set its scales");
  add_count(grammar, "--trajectories", options->learning.trajectories, 1'000'000,
            "Paths among which the samples are divided; their weights are averaged");
  add_count(grammar, "--warmup", options->learning.warmup, inventory::max_periods,
            "Samples before newton's first step, in each path");
  grammar
      ->add_option("--improvement", options->improvement,
                   "exact: over the distribution of demand and arrivals; sampled:S: over S "
                   "simulated periods, as if only a simulator were available (published: 50)")
      ->capture_default_str();
  grammar.offer("--improvement", words_in("exact, sampled:S"));
  grammar->add_option(
      "--features", options->features,
      "Features of the stock: polynomial, as published; relu:D or fourier:D: D random hinges or "
      "waves in "
      "place of the products; relu:D,SEED: drawn with this seed, not 1; hats: for averagers. "
      "Default: hats for averagers, otherwise polynomial");
  grammar.offer("--features", words_in("polynomial, relu:D, fourier:D, hats"));
  add_evaluation_options(grammar, options->learning);
  add_policy_out(grammar, *options, options->policy_out);
  grammar
      ->add_option("--checkpoint", options->checkpoint,
                   "Save to this file after each iteration, and resume from it if it exists; not "
                   "with --sweep")
      ->check(not_empty());
  grammar.updates("--checkpoint");
  grammar.add_check([options, app = &grammar.app()] {
    check_train(*options);
    check_evaluation(*app, options->learning,
                     inventory::parse_improvement(options->improvement).value());
  });
  grammar->footer(
      "The orders of each iteration are evaluated exactly, and the best ones, including the "
      "myopic\n"
      "start, are kept. With sampled:S only the improvement is sampled: the choice of the best "
      "uses\n"
      "exact values, and last_gap_percent is the result without that knowledge.\n\n"
      "JSON: value_at_empty, error_bound, gap_percent, gap_error_percent, order_at_empty of the\n"
      "      best orders, and best_iteration (0: the myopic start); optimal_at_empty,\n"
      "      last_gap_percent, start (value and gap of the myopic start), trace (one entry per\n"
      "      iteration: the same, and estimated_at_empty, weights_change, used, singular,\n"
      "      diverged: numbers of trajectories), evaluation (what --evaluation and its options\n"
      "      chose), features, status, seconds (of this run), and the instance as in solve\n\n"
      "Example: shortfall inventory train examples/platelets.toml --algorithm td\n"
      "         --improvement sampled:50\n"
      "         shortfall inventory train examples/platelets.toml --evaluation published\n"
      "         --improvement sampled:50 --start uniform\n"
      "         shortfall inventory train examples/platelets.toml --features relu:10");
}

}  // namespace shortfall::app
