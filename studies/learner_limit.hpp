#pragma once

#include <Eigen/Core>
#include <string>

#include "studies/learning_problem.hpp"
#include "studies/studied_learner.hpp"

namespace shortfall::studies {

/// Where a learner should end, computed without sampling.
struct LearnerLimit {
  std::string kind;    ///< "projected fixed point", "limit of traces", "averager's fixed point"
  std::string status;  ///< of the computation: "converged", or why there is none
  /// What the learner's mean-field ODE does there, a LimitStatus: "stable", "unstable", "away", or
  /// "unknown" for Newton, which does not follow it, and where it was not computed.
  std::string stability = "unknown";
  Eigen::VectorXd values = {};  ///< by state; empty: no limit is known
};

/// Φθ* for td and newton, with and without averages; for td-lambda with λ > 0 the limit of
/// convergence_limit.hpp; for averagers, whose features must fit, Φθ* of theory/averager.hpp, which
/// is always stable.
LearnerLimit limit_of(const LearningProblem& problem, const learn::LearnerOptions& learner);

}  // namespace shortfall::studies
