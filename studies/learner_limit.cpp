#include "studies/learner_limit.hpp"

#include "studies/convergence_limit.hpp"

namespace shortfall::studies {
namespace {

using learn::Algorithm;

/// The ODE takes a factorisation of d × d numbers per step, thousands of times.
constexpr Eigen::Index most_traced_features = 200;

LearnerLimit projected_limit(const LearningProblem& problem) {
  LearnerLimit limit{.kind = "projected fixed point",
                     .status = std::string(to_string(problem.fixed_point.status))};
  if (problem.has_fixed_point()) limit.values = problem.fixed_point_values();
  return limit;
}

}  // namespace

LearnerLimit limit_of(const LearningProblem& problem, const learn::LearnerOptions& learner) {
  const bool has_ode =
      learner.algorithm == Algorithm::td || learner.algorithm == Algorithm::td_lambda;
  const bool has_traces = learner.algorithm == Algorithm::td_lambda && learner.lambda > 0.0;
  LearnerLimit limit = has_traces
                           ? LearnerLimit{.kind = "limit of traces", .status = "not-computed"}
                           : projected_limit(problem);
  if (!has_ode || problem.phi.cols() > most_traced_features) return limit;
  const TraceLimit traced = limit_of_traces(problem, learner.lambda);
  limit.stability = std::string(shortfall::name_of(traced.status, limit_names));
  if (!has_traces) return limit;
  const bool is_found =
      traced.status == LimitStatus::stable || traced.status == LimitStatus::unstable;
  limit.status = is_found ? "converged" : "none";
  if (is_found) limit.values = problem.phi * traced.theta;
  return limit;
}

}  // namespace shortfall::studies
