#include "studies/model_study_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "studies/intervals.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t points_per_decade = 8;
constexpr double low_level = 0.1;
constexpr double high_level = 0.9;
constexpr double threshold_of_norm = 0.05;

learn::Replications replicate(const LearningProblem& problem, const Restarts& restarts,
                              const StudiedLearner& learner, const learn::ErrorMetric& metric,
                              const learn::RunnerOptions& options, const Execution& execution) {
  const ChainSampler sampler(problem.chain);
  const auto run = [&](const auto& start) {
    return run_replications(learner.start(metric.phi.dimension(), problem.loss, problem.gamma),
                            learn::Simulation{sampler, metric.phi, start}, metric, options,
                            execution);
  };
  const auto only = std::ranges::find(restarts.start, 1.0);
  if (only == restarts.start.end()) return run(learn::StartLaw(restarts.start));
  return run(learn::StartAt{static_cast<StateIndex>(only - restarts.start.begin())});
}

/// Mean, median and quantiles over runs of one distance, at one point of the curve.
struct DistanceSpread {
  double mean = infinity;
  double standard_error = infinity;
  double median = infinity;
  double low = infinity;
  double high = infinity;
};

DistanceSpread spread_of(const std::optional<learn::Summary>& summary,
                         const std::vector<learn::Replication>& runs,
                         std::vector<double> learn::Replication::*list, std::size_t k) {
  if (!summary) return {};
  std::vector<double> distances;
  for (const learn::Replication& run : runs) distances.push_back((run.*list)[k]);
  return {summary->mean, summary->standard_error, summary->median,
          inventory::quantile_of(distances, low_level),
          inventory::quantile_of(distances, high_level)};
}

std::vector<StudyPoint> points_of(const learn::Replications& found, const std::string& algorithm) {
  std::vector<StudyPoint> points;
  for (std::size_t k = 0; k < found.records.size(); ++k) {
    const learn::Record& record = found.records[k];
    const DistanceSpread value =
        spread_of(record.to_value, found.runs, &learn::Replication::to_value, k);
    const DistanceSpread limit =
        spread_of(record.to_fixed_point, found.runs, &learn::Replication::to_fixed_point, k);
    points.push_back({.algorithm = algorithm,
                      .updates = record.iteration,
                      .to_value = value.mean,
                      .to_value_standard_error = value.standard_error,
                      .to_value_median = value.median,
                      .to_value_low = value.low,
                      .to_value_high = value.high,
                      .to_limit = limit.mean,
                      .to_limit_standard_error = limit.standard_error,
                      .to_limit_median = limit.median,
                      .to_limit_low = limit.low,
                      .to_limit_high = limit.high,
                      .diverged = record.diverged,
                      .singular = record.singular});
  }
  return points;
}

/// How often intervals hold the limit, over the states that are visited.
void count_coverage(const learn::Replications& found, const LearningProblem& problem,
                    const Eigen::VectorXd& limit, StudyEnd& end) {
  std::vector<StateTally> states(problem.q.size());
  std::size_t asked = 0;
  for (const learn::Replication& run : found.runs) {
    for (std::size_t x = 0; x < run.intervals.size(); ++x) {
      if (problem.q[x] == 0.0) continue;
      ++asked;
      // Without noise an interval is a point, which rounding must not put beside the limit.
      const double value = run.intervals[x].value;
      const double truth = limit[static_cast<Eigen::Index>(x)];
      const bool is_exact = std::abs(value - truth) <= 1e-11 * problem.reach;
      add_interval(run.intervals[x], is_exact ? value : truth, states[x]);
    }
  }
  std::size_t intervals = 0;
  double shares = 0.0;
  double least = infinity;
  std::size_t counted = 0;
  for (const StateTally& state : states) {
    const std::size_t here = state.half_widths.size();
    if (here == 0) continue;
    const double share = static_cast<double>(state.covered) / static_cast<double>(here);
    intervals += here;
    shares += share;
    least = std::min(least, share);
    ++counted;
  }
  end.intervals = asked == 0 ? 0.0 : static_cast<double>(intervals) / static_cast<double>(asked);
  if (counted == 0) return;
  end.coverage = shares / static_cast<double>(counted);
  end.least_coverage = least;
}

StudyEnd end_of(const std::vector<StudyPoint>& points, const LearnerLimit& limit,
                const LearningProblem& problem, std::size_t runs) {
  const StudyPoint& last = points.back();
  return {
      .algorithm = last.algorithm,
      .updates = last.updates,
      .runs = runs,
      .diverged = last.diverged,
      .singular = last.singular,
      .to_value = last.to_value,
      .to_value_standard_error = last.to_value_standard_error,
      .to_value_median = last.to_value_median,
      .to_limit = last.to_limit,
      .to_limit_standard_error = last.to_limit_standard_error,
      .to_limit_median = last.to_limit_median,
      .limit = limit.kind,
      .limit_status = limit.status,
      .stability = limit.stability,
      .limit_distance =
          limit.values.size() > 0 ? problem.norm(limit.values - problem.value) : infinity,
      .updates_to_threshold = updates_to(threshold_of_norm * problem.norm(problem.value), points,
                                         &StudyPoint::updates, &StudyPoint::to_value_median),
      .coverage = infinity,
      .least_coverage = infinity,
      .intervals = infinity};
}

}  // namespace

std::optional<StudiedRuns> study_learner(const LearningProblem& problem, const Restarts& restarts,
                                         const StudiedLearner& learner,
                                         const ModelStudyOptions& options, const Monitor& monitor) {
  LearnerLimit limit = limit_of(problem, learner.options);
  learn::ErrorMetric metric{.phi = features::Dense(problem.phi), .q = problem.q};
  metric.value = entries_of(problem.value);
  if (limit.values.size() > 0) metric.fixed_point = entries_of(limit.values);
  const bool has_intervals = learner.has_intervals() && limit.values.size() > 0;
  const learn::Replications found =
      replicate(problem, restarts, learner, metric,
                {.replications = options.replications,
                 .seed = options.seed,
                 .record_at = learn::log_spaced(1, options.samples, points_per_decade),
                 .confidence = has_intervals ? std::optional(options.confidence) : std::nullopt,
                 .restart = restarts.probability},
                {.threads = options.threads, .monitor = monitor});
  if (found.runs.size() < options.replications) return std::nullopt;
  StudiedRuns runs{.curve = points_of(found, learner.name), .end = {}, .limit = {}};
  runs.end = end_of(runs.curve, limit, problem, found.runs.size());
  if (has_intervals) count_coverage(found, problem, limit.values, runs.end);
  runs.limit = std::move(limit);
  return runs;
}

}  // namespace shortfall::studies
