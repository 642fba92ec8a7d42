#include "studies/learner_limit.hpp"

#include <algorithm>

#include "shortfall/theory/averager_fixed_point.hpp"
#include "studies/convergence_limit.hpp"

namespace shortfall::studies {
namespace {

using learn::Algorithm;

/// The ODE takes a factorisation of d × d numbers per step, thousands of times.
constexpr Eigen::Index most_traced_features = 200;
/// And a matrix of this many rows and columns, for the traces.
constexpr std::size_t most_traced_states = 2000;

LearnerLimit projected_limit(const LearningProblem& problem) {
  LearnerLimit limit{.kind = "projected fixed point",
                     .status = std::string(to_string(problem.fixed_point.status))};
  if (problem.has_fixed_point()) limit.values = problem.fixed_point_values();
  return limit;
}

/// K is a contraction for γ < 1 only. With one feature per state it is the Bellman operator, whose
/// fixed point is V; that is stable, as the value of a state depends on later ones alone at γ = 1.
LearnerLimit averager_limit(const LearningProblem& problem) {
  LearnerLimit limit{.kind = "averager's fixed point", .status = "not-computed"};
  if (problem.is_tabular && problem.has_fixed_point()) {
    limit.status = std::string(to_string(problem.fixed_point.status));
    limit.stability = std::string(shortfall::name_of(LimitStatus::stable, limit_names));
    limit.values = problem.fixed_point_values();
    return limit;
  }
  if (!(problem.gamma < 1.0)) return limit;
  const theory::AveragerOperator averager(problem.chain, problem.loss, problem.gamma, problem.phi,
                                          problem.q);
  const theory::AveragerFixedPoint found =
      theory::averager_fixed_point(averager, {.tolerance = 1e-9 * std::max(1.0, problem.reach)});
  limit.status = std::string(to_string(found.status));
  if (found.status != theory::FixedPointStatus::converged) return limit;
  limit.stability = std::string(shortfall::name_of(LimitStatus::stable, limit_names));
  limit.values = problem.phi * found.theta;
  return limit;
}

}  // namespace

LearnerLimit limit_of(const LearningProblem& problem, const learn::LearnerOptions& learner) {
  if (is_averager(learner.algorithm)) return averager_limit(problem);
  const bool has_ode =
      learner.algorithm == Algorithm::td || learner.algorithm == Algorithm::td_lambda;
  const bool has_traces = learner.algorithm == Algorithm::td_lambda && learner.lambda > 0.0;
  LearnerLimit limit = has_traces
                           ? LearnerLimit{.kind = "limit of traces", .status = "not-computed"}
                           : projected_limit(problem);
  if (!has_ode || problem.phi.cols() > most_traced_features ||
      problem.chain.states() > most_traced_states) {
    return limit;
  }
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
