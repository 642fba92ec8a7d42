#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "published/platelets.hpp"
#include "published/runtimes.hpp"
#include "published/tables.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "studies/stock_setting.hpp"
#include "studies/table_runtime.hpp"
#include "studies/training_choices.hpp"

namespace shortfall::studies {
namespace {

using namespace inventory;
using learn::Algorithm;

template <class Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Policy static_orders(const Model& model, const Criterion& criterion) {
  return static_policy(model, solve_non_perishable(model, criterion));
}

/// Processor time in seconds, as in the paper.
template <class Work>
double processor_seconds(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// On one core.
TimedEstimates estimates(const Model& model, const Criterion& criterion, const Policy& orders,
                         const TrainingOptions& first, int runs) {
  double sum = 0.0;
  TimedEstimates found{.algorithm = first.algorithm == Algorithm::td ? "TD" : "Newton"};
  const double taken = processor_seconds([&] {
    for (int run = 0; run < runs; ++run) {
      TrainingOptions options = first;
      options.seed += static_cast<std::uint64_t>(run);
      const Estimate estimated = estimate(model, criterion, orders, options, {.threads = 1});
      if (estimated.evaluation.used == 0) ++found.unusable;
      if (estimated.evaluation.used > 0) sum += estimated.value_at_empty;
    }
  });
  found.seconds = taken / runs;
  found.mean = sum / (runs - static_cast<double>(found.unusable));
  return found;
}

/// An estimate does not improve, and is a first one: neither draws nor carried weights matter.
std::vector<TrainingChoice> estimate_choices(Algorithm algorithm, Scale scale) {
  std::vector<TrainingChoice> choices = choices_and_ours(
      algorithm, Improvement::exact, scale == Scale::quick ? Taken::first : Taken::alone);
  std::erase_if(choices, [](const TrainingChoice& choice) {
    return choice.method.next_weights == NextWeights::first;
  });
  return choices;
}

/// Times one evaluation of the static policy, exactly and from samples, each on one core.
Runtimes time_evaluation(const PublishedRuntime& published, const StudyOptions& options,
                         const OnProgress& on_progress) {
  const Model model = platelets(published.shelf_life);
  const Criterion criterion = criterion_of(published.tau);
  const Policy orders = static_orders(model, criterion);
  const auto evaluated = [&](double tolerance, int threads) {
    return evaluate(model, criterion, orders, {.tolerance = tolerance}, {.threads = threads});
  };
  const double exact = evaluated(1e-4, options.threads).values.front();
  on_progress(0.4);
  const double exact_seconds = processor_seconds([&] { (void)evaluated(0.1, 1); });
  on_progress(0.6);
  const int runs = options.scale == Scale::quick ? 3 : 20;
  TimedEvaluation timed{.m = published.shelf_life,
                        .tau = published.tau,
                        .exact = exact,
                        .exact_seconds = exact_seconds};
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    for (const TrainingChoice& choice : estimate_choices(algorithm, options.scale)) {
      timed.estimates.push_back(estimates(
          model, criterion, orders,
          {.algorithm = algorithm, .evaluation = choice.method, .seed = options.seed}, runs));
      timed.estimates.back().choice = choice.name;
    }
  }
  return {.evaluations = {timed}};
}

enum class Wanted { optimum, of_static };

Runtimes solve_eight(double tau, Wanted wanted, const StudyOptions& options,
                     const OnProgress& on_progress) {
  const Model model = platelets(8);
  const Criterion criterion = criterion_of(tau);
  const Execution execution{.threads = options.threads,
                            .monitor = monitor_of_iterations(on_progress, 0.2)};
  Solution solution;
  Policy orders;
  const double taken = seconds([&] {
    if (wanted == Wanted::optimum) {
      solution = inventory::solve(model, criterion, {}, execution);
      orders = solution.policy;
    } else {
      orders = static_orders(model, criterion);
      solution = evaluate(model, criterion, orders, {}, execution);
    }
  });
  return {.eight = {{.tau = tau,
                     .policy = wanted == Wanted::optimum ? "Optimal" : "Static",
                     .value = solution.values.front(),
                     .error_bound = solution.error_bound,
                     .order_at_empty = static_cast<int>(orders.front()),
                     .seconds = taken,
                     .states = model.states()}}};
}

/// The levels at which shelf life 8 is solved.
std::vector<double> levels_of_eight(Scale scale) {
  if (scale == Scale::quick) return {0.5};
  return {published_levels.begin(), published_levels.end()};
}

Runtimes static_gaps_of_five(const StudyOptions& options) {
  const Model model = platelets(5);
  const Execution execution{.threads = options.threads};
  Runtimes gaps;
  for (const double tau : levels_of_eight(options.scale)) {
    const Criterion criterion = criterion_of(tau);
    double best = 0.0;
    const double taken =
        seconds([&] { best = inventory::solve(model, criterion, {}, execution).values.front(); });
    const double value =
        evaluate(model, criterion, static_orders(model, criterion), {}, execution).values.front();
    gaps.five.push_back({tau, 100.0 * (value - best) / best, taken});
  }
  return gaps;
}

/// Measured on two cores. The mean (tau 0.5) needs no root finding.
double seconds_of_eight(double tau, Wanted wanted) {
  const bool is_optimum = wanted == Wanted::optimum;
  if (tau == 0.5) return is_optimum ? 8.0 : 2.0;
  if (tau == 0.9) return is_optimum ? 85.0 : 25.0;
  return is_optimum ? 25.0 : 4.0;
}

std::vector<Part> parts_of(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  std::vector<Part> parts;
  for (const PublishedRuntime& published : published_runtimes) {
    const bool is_long = published.shelf_life == 8;
    if (is_quick && is_long && published.tau != 0.5) continue;
    parts.push_back({fmt::format("m={},tau={}", published.shelf_life, published.tau),
                     (is_long ? 8.0 : 3.0) * (is_quick ? 0.2 : 1.0),
                     [published, options](const OnProgress& on_progress) {
                       return time_evaluation(published, options, on_progress);
                     }});
  }
  parts.push_back({"five", is_quick ? 0.1 : 1.0,
                   [options](const OnProgress&) { return static_gaps_of_five(options); }});
  for (const double tau : levels_of_eight(options.scale)) {
    for (const Wanted wanted : {Wanted::optimum, Wanted::of_static}) {
      const bool is_optimum = wanted == Wanted::optimum;
      parts.push_back({fmt::format("eight,tau={},{}", tau, is_optimum ? "optimal" : "static"),
                       seconds_of_eight(tau, wanted),
                       [tau, wanted, options](const OnProgress& on_progress) {
                         return solve_eight(tau, wanted, options, on_progress);
                       }});
    }
  }
  return parts;
}

}  // namespace

Study table_runtime(const StudyOptions& options) {
  return {.name = "table-runtime",
          .title = "Time of one policy evaluation",
          .question =
              "How long does it take to evaluate the static policy for platelets exactly and "
              "from samples, and is an exact solution out of reach at shelf life 8? The "
              "published times are from another machine and program; ours are from this run, "
              "in processor time of one core, with exact values certified to 0.1. Times of "
              "optima and of exact solutions at shelf life 8 are elapsed time on all cores. " +
              two_trainings,
          .source = "Wang and Delage, appendix, table of runtimes",
          .parts = parts_of(options),
          .conclude = conclude_runtimes};
}

}  // namespace shortfall::studies
