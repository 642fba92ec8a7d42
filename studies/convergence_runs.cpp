#include "studies/convergence_runs.hpp"

#include <string>
#include <utility>
#include <vector>

#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/convergence_limit.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t records_per_decade = 8;
constexpr std::uint64_t newton_warmup = 500;

std::vector<double> entries(const Eigen::VectorXd& v) {
  return {v.begin(), v.end()};
}

Json keys_of(const RiskFamily& family, const ConvergenceSetting& setting) {
  Json row;
  row[family.level] = setting.level;
  row["gamma"] = setting.gamma;
  row["d"] = setting.d;
  return row;
}

/// A seed that makes runs of different names independent.
std::uint64_t derive_seed(std::uint64_t seed, const std::string& name) {
  std::uint64_t stream = 14695981039346656037u;  // FNV-1a
  for (const char c : name) stream = (stream ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return pcg64(seed, stream)();
}

learn::Replications learn_by(std::size_t algorithm, const ConvergenceProblem& problem,
                             const learn::RunnerOptions& options) {
  const ChainSampler sampler(problem.chain);
  const features::Dense phi(problem.phi);
  const learn::Simulation simulation{sampler, phi, learn::StartAt{StateIndex{0}}};
  learn::ErrorMetric metric{.phi = phi, .q = problem.q, .projected_value = entries(problem.target)};
  if (problem.has_fixed_point()) {
    metric.fixed_point = entries(problem.phi * problem.fixed_point.theta);
  }
  const std::size_t d = phi.dimension();
  if (convergence_algorithms[algorithm] == "Newton") {
    return run_replications(
        learn::Newton(d, problem.loss, problem.gamma, {.warmup = newton_warmup}), simulation,
        metric, options);
  }
  return run_replications(
      learn::TdLambda(d, problem.loss, problem.gamma, convergence_lambdas[algorithm]), simulation,
      metric, options);
}

void add_curve(Json& curves, const Json& keys, const learn::Replications& found) {
  for (const learn::Record& record : found.records) {
    Json row = keys;
    row["iteration"] = record.iteration;
    row["distance"] = number_or_null(record.to_projected_value->mean);
    row["standard_error"] = number_or_null(record.to_projected_value->standard_error);
    row["median"] = number_or_null(record.to_projected_value->median);
    row["diverged"] = record.diverged;
    row["first_component_standard_error"] = number_or_null(record.first_component.standard_error);
    curves.push_back(std::move(row));
  }
}

/// The first recorded iteration after which the mean distance stays below the threshold.
Json iterations_to(double threshold, const std::vector<learn::Record>& records) {
  Json reached = nullptr;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (!(record->to_projected_value->mean <= threshold)) break;
    reached = record->iteration;
  }
  return reached;
}

Json end_row(Json row, const learn::Replications& found, double threshold,
             const ConvergenceProblem& problem, const TraceLimit& limit) {
  const learn::Record& last = found.records.back();
  row["distance"] = number_or_null(last.to_projected_value->mean);
  row["standard_error"] = number_or_null(last.to_projected_value->standard_error);
  row["diverged"] = last.diverged;
  row["iterations_to_threshold"] = iterations_to(threshold, found.records);
  row["threshold"] = threshold;
  row["runs"] = found.runs.size();
  const auto& to_fixed_point = last.to_fixed_point;
  row["to_fixed_point"] = to_fixed_point ? number_or_null(to_fixed_point->mean) : Json(nullptr);
  row["to_fixed_point_standard_error"] =
      to_fixed_point ? number_or_null(to_fixed_point->standard_error) : Json(nullptr);
  const bool is_stable = limit.status == LimitStatus::stable;
  row["limit"] = to_string(limit.status);
  row["limit_distance"] =
      is_stable ? number_or_null(problem.distance_to_target(limit.theta)) : Json(nullptr);
  row["limit_rate"] = is_stable ? number_or_null(limit.rate) : Json(nullptr);
  return row;
}

Json setting_row(Json row, const ConvergenceProblem& problem) {
  const auto conditions = theory::check_conditions(problem.loss, problem.gamma);
  row["gamma_limit"] = conditions.gamma_limit;
  row["condition_holds"] = conditions.guaranteed();
  row["value_norm"] = theory::q_norm(problem.value, problem.q);
  row["fixed_point_distance"] =
      problem.has_fixed_point()
          ? number_or_null(problem.distance_to_target(problem.fixed_point.theta))
          : Json(nullptr);
  row["fixed_point_status"] = to_string(problem.fixed_point.status);
  row["sharp_gamma_limit"] = conditions.sharp_gamma_limit;
  row["projection_error"] = theory::q_norm(problem.target - problem.value, problem.q);
  return row;
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

Json convergence_runs(const RiskFamily& family, const ConvergenceSetting& setting,
                      const StudyOptions& options, const OnProgress& on_progress) {
  const ConvergenceScale scale = convergence_scale(options.scale);
  const ConvergenceProblem problem = convergence_problem(family, setting, options.seed);
  const Json keys = keys_of(family, setting);
  const double threshold = threshold_share * theory::q_norm(problem.value, problem.q);
  Json part = {{"settings", Json::array({setting_row(keys, problem)})},
               {"curves", Json::array()},
               {"ends", Json::array()}};
  for (std::size_t a = 0; a < convergence_algorithms.size(); ++a) {
    Json row = keys;
    row["algorithm"] = convergence_algorithms[a];
    const std::string name =
        name_of(family, setting) + "," + std::string(convergence_algorithms[a]);
    const auto progress = [&](std::size_t finished) {
      const double of_this = static_cast<double>(finished) / static_cast<double>(scale.runs);
      on_progress((static_cast<double>(a) + of_this) / convergence_algorithms.size());
    };
    const learn::Replications found =
        learn_by(a, problem,
                 {.replications = scale.runs,
                  .seed = derive_seed(options.seed, name),
                  .threads = options.threads,
                  .record_at = learn::log_spaced(1, scale.iterations, records_per_decade),
                  .on_replication = progress});
    add_curve(part["curves"], row, found);
    part["ends"].push_back(
        end_row(row, found, threshold, problem, limit_of_traces(problem, convergence_lambdas[a])));
  }
  return part;
}

}  // namespace shortfall::studies
