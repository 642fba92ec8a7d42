#include "studies/averagers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "shortfall/numbers/infinity.hpp"
#include "studies/counterexample.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {
namespace {

/// Accuracy counts as equal if the median errors of a setting differ by less than this factor.
constexpr double equal_accuracy = 1.25;

/// Mean squares of k standard normal scores have the deviation √(2/k). Four of these, and a tenth
/// for runs of finite length.
double most_mean_square(std::size_t scores) {
  return 1.1 + 4.0 * std::sqrt(2.0 / static_cast<double>(scores));
}

struct ModelSums {
  std::size_t models = 0, cases = 0, averager = 0, td = 0, undecided = 0, violations = 0;
  std::size_t recursion = 0, recursion_steps = 0, closer = 0;
  std::size_t under_condition = 0, td_under_condition = 0;
  int most_iterations = 0;
  double tightest = 0.0;
};

ModelSums sum_of(const std::vector<AveragerModelsRow>& rows) {
  ModelSums sum;
  for (const AveragerModelsRow& row : rows) {
    sum.models = std::max(sum.models, row.models);
    sum.cases += row.models;
    sum.averager += row.averager_settles;
    sum.td += row.td_settles;
    sum.undecided += row.td_undecided;
    sum.violations += row.bound_violations;
    sum.recursion += row.recursion_violations;
    sum.recursion_steps += row.recursion_steps;
    sum.closer += row.averager_closer;
    if (row.td_condition) {
      sum.under_condition += row.models;
      sum.td_under_condition += row.td_settles;
    }
    sum.most_iterations = std::max(sum.most_iterations, row.most_iterations);
    sum.tightest = std::max(sum.tightest, row.largest_error_by_bound);
  }
  return sum;
}

Coverage models_scope(const std::vector<AveragerModelsRow>& rows) {
  std::size_t least = rows.empty() ? 0 : rows.front().models;
  for (const AveragerModelsRow& row : rows) least = std::min(least, row.models);
  const bool is_whole =
      least >= averager_model_count(Scale::full) &&
      rows.size() == averager_features.size() * averager_losses.size() * averager_discounts.size();
  return is_whole ? Coverage::whole : Coverage::sample;
}

double percent_of(std::size_t part, std::size_t all) {
  return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

Finding has_one_limit(const ModelSums& sum, Coverage scope) {
  return {
      .claim =
          "Averager TD has exactly one limit, which attracts, on every model, for every "
          "loss and every gamma below 1.",
      .published = "a condition on gamma is needed; to relax it is left open",
      .found = fmt::format(
          "a certified fixed point in {} of {} cases ({} models, each with {} kinds of features, "
          "{} "
          "losses and gamma up to {}), after at most {} evaluations; {} of {} steps of the mean "
          "field came less close than proved",
          sum.averager, sum.cases, sum.models, averager_features.size(), averager_losses.size(),
          averager_discounts.back(), sum.most_iterations, sum.recursion, sum.recursion_steps),
      .verdict = holds_as_computed(sum.averager == sum.cases && sum.recursion == 0, scope)};
}

Finding td_settles_less(const ModelSums& sum, Coverage scope) {
  return {.claim = "On the same models and features, TD does not always settle.",
          .found = fmt::format("TD settles in {} of {} cases ({:.1f} %; undecided: {})", sum.td,
                               sum.cases, percent_of(sum.td, sum.cases), sum.undecided),
          .verdict = holds_somewhere(sum.td + sum.undecided < sum.cases, scope)};
}

Finding td_settles_under_its_condition(const ModelSums& sum, Coverage scope) {
  return {
      .claim = "TD settles wherever gamma is below the sharp limit of the slopes.",
      .found = fmt::format("in {} of {} such cases", sum.td_under_condition, sum.under_condition),
      .verdict = holds_as_computed(sum.td_under_condition == sum.under_condition, scope)};
}

/// TD and averager TD are the same algorithm there.
Finding same_on_aggregation(const std::vector<AveragerModelsRow>& rows, Coverage scope) {
  double difference = 0.0;
  std::size_t cases = 0, td = 0;
  for (const AveragerModelsRow& row : rows) {
    if (row.features != "aggregation") continue;
    cases += row.models;
    td += row.td_settles;
    difference = std::max(difference, row.largest_td_difference);
  }
  return {.claim =
              "With hard aggregation TD has the same limit, for every loss and gamma: its "
              "condition is void there.",
          .found = fmt::format("TD settles in {} of {} cases; limits differ by at most {:.1e} "
                               "deviations of the value",
                               td, cases, difference),
          .verdict = holds_as_computed(td == cases && difference < 1e-3, scope)};
}

Finding is_as_accurate(const std::vector<AveragerModelsRow>& rows, const ModelSums& sum,
                       Coverage scope) {
  Range errors;
  double most_largest = 0.0;
  for (const AveragerModelsRow& row : rows) {
    if (row.features == "aggregation" || row.td_settles == 0) continue;
    errors.add(row.averager_error / row.td_error);
    most_largest = std::max(most_largest, row.averager_largest_error / row.td_largest_error);
  }
  return {.claim = fmt::format("Where both settle, averager TD is as accurate as TD: median errors "
                               "within a factor of {}, in every setting.",
                               equal_accuracy),
          .found = fmt::format(
              "without aggregation, {:.2f} to {:.2f} times TD's by long-run frequency, up to "
              "{:.2f} times in the worst state; closer to the value than TD in {:.0f} % of all "
              "cases where both settle",
              errors.least, errors.most, most_largest, percent_of(sum.closer, sum.td)),
          .verdict = holds_as_computed(errors.most <= equal_accuracy, scope)};
}

Finding bound_holds(const std::vector<AveragerModelsRow>& rows, const ModelSums& sum,
                    Coverage scope) {
  Range shares;
  for (const AveragerModelsRow& row : rows) shares.add(row.error_by_bound);
  return {.claim =
              "The limit of averager TD is as close to the value as its bound says, by the "
              "oscillation of the value within cells.",
          .found = fmt::format("{} violations in {} cases; the error is {:.1f} to {:.1f} % of the "
                               "bound in the median of a setting, {:.0f} % at most",
                               sum.violations, sum.cases, 100.0 * shares.least, 100.0 * shares.most,
                               100.0 * sum.tightest),
          .verdict = holds_as_computed(sum.violations == 0, scope)};
}

Finding solves_the_counterexample(const std::vector<AveragerPathRow>& rows) {
  std::uint64_t last = 0;
  for (const AveragerPathRow& row : rows) last = std::max(last, row.iteration);
  double averager = 0.0, td = infinity;  // over their starts
  for (const AveragerPathRow& row : rows) {
    if (row.iteration != last) continue;
    const double size = std::abs(row.theta / row.start);
    if (row.algorithm == "averager-td") averager = std::max(averager, size);
    const bool leaves = row.p > critical_probability && row.start > 0.0;
    if (row.algorithm == "td" && leaves) td = std::min(td, size);
  }
  return {
      .claim =
          "Averager TD solves the paper's counterexample from every start, where TD moves "
          "away.",
      .published = "TD need not converge",
      .found = fmt::format("after {} updates, the weight of averager TD is at most {:.1e} times "
                           "its start, that of TD at least {:.2f} times a positive start where "
                           "p > 0.9",
                           last, averager, td),
      .verdict = verdict_of(averager < 0.01 && td > 1.0)};
}

Finding learners_agree(const std::vector<AveragerRunsRow>& rows) {
  const AveragerRunScale full = averager_run_scale(Scale::full);
  std::size_t runs = 0, diverged = 0, outside = 0, td = 0;
  double most = 0.0, largest = 0.0;
  bool agrees = true, is_whole = !rows.empty();
  for (const AveragerRunsRow& row : rows) {
    runs += row.runs;
    diverged += row.averager_diverged;
    outside += row.outside_box;
    td += row.td_diverged;
    most = std::max(most, row.mean_square_score);
    largest = std::max(largest, row.largest_score);
    agrees = agrees && row.mean_square_score <= most_mean_square(row.runs);
    is_whole = is_whole && row.updates >= full.updates &&
               row.runs >= full.models * averager_features.size();
  }
  const bool holds = agrees && diverged == 0 && outside == 0;
  return {.claim =
              "Runs of averager TD end at the fixed point of K, as far as their asymptotic "
              "deviation allows, and never leave the interval that is proved.",
          .found = fmt::format("{} runs: {} diverged, {} outside; mean squares of standardised "
                               "distances up to {:.2f}, the largest distance {:.1f} (TD diverged "
                               "in {})",
                               runs, diverged, outside, most, largest, td),
          .verdict = holds_as_computed(holds, is_whole ? Coverage::whole : Coverage::sample)};
}

constexpr std::array<double, 3> path_probabilities = {0.9, 0.95, 0.99};

Results conclude_averagers(const std::vector<AveragerTables>& parts) {
  const AveragerTables all = joined(parts);
  return {.findings = of_our_own(averager_findings(all)), .tables = all};
}

Part path_part(double p, library::DeltaRoot root, const StudyOptions& options) {
  return {.name = fmt::format("counterexample,p={},root={}", p,
                              root == library::DeltaRoot::smaller ? "smaller" : "larger"),
          .seconds = options.scale == Scale::full ? 0.3 : 0.03,
          .compute = [=](const OnProgress&) {
            return AveragerTables{.paths = averager_paths(p, root, options)};
          }};
}

}  // namespace

std::vector<Finding> averager_findings(const AveragerTables& tables) {
  const Coverage scope = models_scope(tables.models);
  const ModelSums sum = sum_of(tables.models);
  return {has_one_limit(sum, scope),
          td_settles_less(sum, scope),
          td_settles_under_its_condition(sum, scope),
          same_on_aggregation(tables.models, scope),
          is_as_accurate(tables.models, sum, scope),
          bound_holds(tables.models, sum, scope),
          solves_the_counterexample(tables.paths),
          learners_agree(tables.runs)};
}

Study averagers(const StudyOptions& options) {
  Study study{.name = "averagers",
              .title = "Learning that converges for every loss and discount",
              .question =
                  "With features that are nonnegative and sum to at most 1, comparing targets with "
                  "each cell's own weight makes a contraction of the mean update. Does that settle "
                  "the counterexample and random models, beyond the condition on gamma; how close "
                  "is its limit to the value, beside TD's and beside its bound?",
              .source = "our own: Wang and Delage leave it open how to relax the condition",
              .conclude = conclude_averagers};
  for (const double p : path_probabilities) {
    study.parts.push_back(path_part(p, library::DeltaRoot::smaller, options));
    study.parts.push_back(path_part(p, library::DeltaRoot::larger, options));
  }
  const bool full = options.scale == Scale::full;
  const std::size_t count = averager_model_count(options.scale);
  for (const std::string_view features : averager_features) {
    study.parts.push_back({.name = fmt::format("models,{}", features),
                           .seconds = full ? 40.0 : 0.4,
                           .compute = [=](const OnProgress& on_progress) {
                             return AveragerTables{
                                 .models = averager_models(features, count, options, on_progress)};
                           }});
  }
  study.parts.push_back(
      {.name = "runs", .seconds = full ? 40.0 : 0.4, .compute = [=](const OnProgress& on_progress) {
         return AveragerTables{
             .runs = averager_runs(averager_run_scale(options.scale), options, on_progress)};
       }});
  return study;
}

}  // namespace shortfall::studies
