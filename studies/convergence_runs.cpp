#include "studies/convergence_runs.hpp"

#include <string>
#include <utility>
#include <vector>

#include "shortfall/infinity.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/convergence_limit.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t records_per_decade = 8;
constexpr std::uint64_t newton_warmup = 500;

/// A seed that makes runs of different names independent.
std::uint64_t derive_seed(std::uint64_t seed, const std::string& name) {
  std::uint64_t stream = 14695981039346656037u;  // FNV-1a
  for (const char c : name) stream = (stream ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return pcg64(seed, stream)();
}

learn::Replications learn_by(std::size_t algorithm, const LearningProblem& problem,
                             const learn::RunnerOptions& options) {
  const ChainSampler sampler(problem.chain);
  const learn::ErrorMetric metric = metric_of(problem);
  const learn::Simulation simulation{sampler, metric.phi, learn::StartAt{StateIndex{0}}};
  const std::size_t d = metric.phi.dimension();
  if (convergence_algorithms[algorithm] == "Newton") {
    return run_replications(
        learn::Newton(d, problem.loss, problem.gamma,
                      {.warmup = newton_warmup, .variant = learn::NewtonVariant::as_published}),
        simulation, metric, options);
  }
  return run_replications(
      learn::TdLambda(d, problem.loss, problem.gamma, convergence_lambdas[algorithm]), simulation,
      metric, options);
}

std::vector<CurvePoint> curve_of(const learn::Replications& found) {
  std::vector<CurvePoint> curve;
  for (const learn::Record& record : found.records) {
    curve.push_back({.iteration = record.iteration,
                     .distance = record.to_projected_value->mean,
                     .standard_error = record.to_projected_value->standard_error,
                     .median = record.to_projected_value->median,
                     .diverged = record.diverged,
                     .first_component_standard_error = record.first_component.standard_error});
  }
  return curve;
}

std::vector<CurveHeight> heights_of(const std::vector<CurvePoint>& curve) {
  std::vector<CurveHeight> heights;
  for (const CurvePoint& point : curve) heights.push_back({point.iteration, point.distance});
  return heights;
}

Learned learned_of(std::size_t algorithm, const learn::Replications& found,
                   const LearningProblem& problem) {
  const TraceLimit limit = limit_of_traces(problem, convergence_lambdas[algorithm]);
  const bool is_stable = limit.status == LimitStatus::stable;
  const double threshold = threshold_share * theory::q_norm(problem.value, problem.q);
  const auto& to_fixed_point = found.records.back().to_fixed_point;
  std::vector<CurvePoint> curve = curve_of(found);
  const CurvePoint end = curve.back();
  const double reached = updates_to(threshold, heights_of(curve));
  return {
      .algorithm = std::string(convergence_algorithms[algorithm]),
      .curve = std::move(curve),
      .distance = end.distance,
      .standard_error = end.standard_error,
      .diverged = end.diverged,
      .iterations_to_threshold = reached,
      .threshold = threshold,
      .runs = found.runs.size(),
      .to_fixed_point = to_fixed_point ? to_fixed_point->mean : infinity,
      .to_fixed_point_standard_error = to_fixed_point ? to_fixed_point->standard_error : infinity,
      .limit = std::string(shortfall::name_of(limit.status, limit_names)),
      .limit_distance = is_stable ? problem.distance_to_target(limit.theta) : infinity,
      .limit_rate = is_stable ? limit.rate : infinity};
}

Panel panel_of(const ConvergenceSetting& setting, const LearningProblem& problem) {
  const auto conditions = theory::check_conditions(problem.loss, problem.gamma);
  return {.setting = setting,
          .gamma_limit = conditions.gamma_limit,
          .condition_holds = conditions.guaranteed(),
          .value_norm = theory::q_norm(problem.value, problem.q),
          .fixed_point_distance = problem.has_fixed_point()
                                      ? problem.distance_to_target(problem.fixed_point.theta)
                                      : infinity,
          .fixed_point_status = std::string(to_string(problem.fixed_point.status)),
          .sharp_gamma_limit = conditions.sharp_gamma_limit,
          .projection_error = theory::q_norm(problem.target - problem.value, problem.q)};
}

}  // namespace

ConvergenceScale convergence_scale(Scale scale) {
  if (scale == Scale::full) return {};
  return {.runs = 8, .iterations = 40'000, .draws = 40};
}

double sum_of_steps(std::uint64_t iterations) {
  learn::PolynomialStep step;
  double sum = 0.0;
  for (std::uint64_t n = 0; n < iterations; ++n) sum += step(n);
  return sum;
}

Panel convergence_runs(const RiskFamily& family, const ConvergenceSetting& setting,
                       const StudyOptions& options, const OnProgress& on_progress) {
  const ConvergenceScale scale = convergence_scale(options.scale);
  const LearningProblem problem = convergence_problem(family, setting, options.seed);
  Panel panel = panel_of(setting, problem);
  for (std::size_t a = 0; a < convergence_algorithms.size(); ++a) {
    const std::string name =
        name_of(family, setting) + "," + std::string(convergence_algorithms[a]);
    const auto progress = [&](double of_this) {
      on_progress((static_cast<double>(a) + of_this) / convergence_algorithms.size());
    };
    const learn::Replications found =
        learn_by(a, problem,
                 {.replications = scale.runs,
                  .seed = derive_seed(options.seed, name),
                  .threads = options.threads,
                  .record_at = learn::log_spaced(1, scale.iterations, records_per_decade),
                  .monitor = monitor_of(progress)});
    panel.learned.push_back(learned_of(a, found, problem));
  }
  return panel;
}

}  // namespace shortfall::studies
