#include "shortfall/learn/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "errors/require.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::learn {
namespace {

double distance(const ErrorMetric& metric, std::span<const double> theta,
                std::span<const double> reference) {
  Eigen::VectorXd difference(static_cast<Eigen::Index>(reference.size()));
  for (std::size_t x = 0; x < reference.size(); ++x) {
    const std::span<const double> phi = metric.phi.row(x);
    difference[static_cast<Eigen::Index>(x)] =
        std::inner_product(phi.begin(), phi.end(), theta.begin(), -reference[x]);
  }
  return theory::q_norm(difference, metric.q);
}

void check_length(std::string_view what, std::size_t found, std::size_t states) {
  require(found == states, "{} has {} entries; accepted: one for each of {} states", what, found,
          states);
}

void check(const ErrorMetric& metric, std::size_t dimension) {
  const std::size_t states = metric.phi.states();
  require(metric.phi.dimension() == dimension,
          "the learner has {} weights; accepted: {}, one per feature", dimension,
          metric.phi.dimension());
  check_length("the law q", metric.q.size(), states);
  for (const double weight : metric.q) {
    require(weight >= 0.0 && std::isfinite(weight),
            "the law q has entry {}; accepted: a number >= 0", weight);
  }
  if (!metric.projected_value.empty()) {
    check_length("the projected value", metric.projected_value.size(), states);
  }
  if (!metric.fixed_point.empty()) {
    check_length("the fixed point", metric.fixed_point.size(), states);
  }
  if (!metric.value.empty()) check_length("the value", metric.value.size(), states);
}

void check(const RunnerOptions& options) {
  require(options.replications > 0, "0 replications; accepted: one or more");
  const auto& points = options.record_at;
  require(!points.empty(), "no iterations to record; accepted: one or more");
  const auto repeated = std::ranges::adjacent_find(points, std::ranges::greater_equal());
  if (repeated != points.end()) {
    throw InvalidInput(fmt::format("iteration {} is recorded after {}; accepted: increasing ones",
                                   *(repeated + 1), *repeated));
  }
}

/// Entry k of the given list of each replication, of all of them or of those that have
/// not diverged.
enum class Which { all, not_diverged };
Summary summarise_at(std::span<const Replication> runs, std::vector<double> Replication::*list,
                     std::size_t k, Which which = Which::all) {
  std::vector<double> values;
  for (const Replication& run : runs) {
    if (which == Which::all || run.status[k] != LearnerStatus::diverged)
      values.push_back((run.*list)[k]);
  }
  return summarise(values);
}

Record record_of(std::span<const Replication> runs, const ErrorMetric& metric, std::size_t k) {
  const auto having = [&](LearnerStatus status) {
    return static_cast<std::size_t>(std::ranges::count_if(
        runs, [&](const Replication& run) { return run.status[k] == status; }));
  };
  Record record{
      .iteration = 0,
      .to_projected_value = {},
      .to_fixed_point = {},
      .to_value = {},
      .first_component = summarise_at(runs, &Replication::first_component, k, Which::not_diverged),
      .diverged = having(LearnerStatus::diverged),
      .singular = having(LearnerStatus::singular)};
  if (!metric.projected_value.empty()) {
    record.to_projected_value = summarise_at(runs, &Replication::to_projected_value, k);
  }
  if (!metric.fixed_point.empty()) {
    record.to_fixed_point = summarise_at(runs, &Replication::to_fixed_point, k);
  }
  if (!metric.value.empty()) record.to_value = summarise_at(runs, &Replication::to_value, k);
  return record;
}

}  // namespace

namespace detail {

Recorder::Recorder(const ErrorMetric& metric, std::span<const std::uint64_t> record_at,
                   Replication& run, std::function<bool()> is_stopped,
                   std::optional<double> confidence)
    : metric_(&metric),
      record_at_(record_at),
      run_(&run),
      is_stopped_(std::move(is_stopped)),
      confidence_(confidence) {}

void Recorder::throw_without_intervals() {
  throw InvalidInput("intervals of a learner that has none; accepted: Newton, or an average");
}

void Recorder::record(std::span<const double> theta, LearnerStatus status) {
  const bool has_diverged = status == LearnerStatus::diverged;
  const auto measure = [&](const std::vector<double>& reference, std::vector<double>& distances) {
    if (reference.empty()) return;
    distances.push_back(has_diverged ? infinity : distance(*metric_, theta, reference));
  };
  measure(metric_->projected_value, run_->to_projected_value);
  measure(metric_->fixed_point, run_->to_fixed_point);
  measure(metric_->value, run_->to_value);
  run_->first_component.push_back(has_diverged ? std::numeric_limits<double>::quiet_NaN()
                                               : theta.front());
  run_->status.push_back(status);
  if (is_complete()) run_->theta.assign(theta.begin(), theta.end());
}

Replications run_in_parallel(const ErrorMetric& metric, const RunnerOptions& options,
                             const Execution& execution, std::size_t dimension,
                             const Replicate& replicate) {
  check(metric, dimension);
  check(options);
  Replications result;
  result.runs.resize(options.replications);
  shortfall::detail::Watch watch(execution.monitor,
                                 {.activity = "learning", .total = options.replications});
  const auto is_stopped = [&watch] {
    watch.poll();
    return watch.is_stopped();
  };
  const auto run_one = [&](std::size_t r) {
    if (watch.is_stopped()) return;
    pcg64 bits(options.seed, r);
    Recorder recorder(metric, options.record_at, result.runs[r], is_stopped, options.confidence);
    replicate(bits, recorder);
    if (recorder.is_complete()) watch.add_steps(1);
  };
  shortfall::detail::Workers(execution.threads).run([&] {
    shortfall::detail::parallel_for(options.replications, run_one);
  });
  watch.poll();
  std::erase_if(result.runs, [&](const Replication& run) {
    return run.status.size() < options.record_at.size();
  });
  if (result.runs.empty()) return result;

  for (std::size_t k = 0; k < options.record_at.size(); ++k) {
    result.records.push_back(record_of(result.runs, metric, k));
    result.records.back().iteration = options.record_at[k];
  }
  return result;
}

}  // namespace detail
}  // namespace shortfall::learn
