#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/theory/fixed_point.hpp"

/// What learners are measured against: of the published experiments, and of models of one's own.
namespace shortfall::studies {

/// A problem for the learners, with its exact solution.
struct LearningProblem {
  Chain chain;
  AnyLoss loss;
  double gamma;
  Eigen::MatrixXd phi;    ///< rows of terminal states are 0
  std::vector<double> q;  ///< long-run law of the states in which updates are made
  Eigen::VectorXd value;  ///< V
  Eigen::MatrixXd basis =
      {};  ///< columns of Φ that are independent in the q-norm; usually Φ itself
  Eigen::VectorXd target = {};          ///< ΠV
  theory::FixedPoint fixed_point = {};  ///< θ* of `basis`
  double reach =
      0.0;  ///< no value is larger: max |c| / (1 - γ), or summed over all states at γ = 1
  double feature_norm = 0.0;     ///< a bound of ‖Φ‖₂
  double restart;                ///< probability of a restart, which cuts traces
  double effective_gamma = 0.0;  ///< of theory/mean_field.hpp: γ where q is stationary
  bool is_tabular =
      false;  ///< whether each state with q > 0 has a feature 1 that is 0 in the others

  bool has_fixed_point() const { return fixed_point.status == theory::FixedPointStatus::converged; }
  bool has_full_rank() const { return basis.cols() == phi.cols(); }
  Eigen::VectorXd fixed_point_values() const { return basis * fixed_point.theta; }  ///< Φθ*
  double norm(const Eigen::Ref<const Eigen::VectorXd>& v) const;                    ///< ‖v‖_q
  double distance_to_target(const Eigen::Ref<const Eigen::VectorXd>& theta) const;
};

/// A chain and its features, before anything is computed.
struct LearningSetup {
  Chain chain;
  Criterion criterion;
  Eigen::MatrixXd phi;
  std::vector<double> q;
  double tolerance = 1e-9;  ///< of Φθ*, in the q-norm
  double restart = 0.0;     ///< probability of a restart after a step that does not end
  /// The error bound of V in every state. With one feature per state, Φθ* is V, and has this bound;
  /// without a bound it is computed as for other features.
  double value_error_bound = std::numeric_limits<double>::infinity();
};

/// `value` is V by state. Features that depend on others are left out of `basis`, so that Φθ* is
/// still unique where θ* is not. Throws InvalidInput if all features are 0 where q > 0.
LearningProblem learning_problem(LearningSetup setup, std::span<const double> value);

/// Distances to ΠV and, if it exists, to Φθ*.
learn::ErrorMetric metric_of(const LearningProblem& problem);

/// One column for each state with q > 0: 1 in that state.
Eigen::MatrixXd one_per_state(std::span<const double> q);

std::vector<double> entries_of(const Eigen::Ref<const Eigen::VectorXd>& v);

/// The first number of updates in a curve that should fall from which on `distance` of its points
/// stays at the threshold or below; +∞: never.
template <class Point>
double updates_to(double threshold, const std::vector<Point>& curve, std::uint64_t Point::*updates,
                  double Point::*distance) {
  double reached = std::numeric_limits<double>::infinity();
  for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
    if (!((*point).*distance <= threshold)) break;
    reached = static_cast<double>((*point).*updates);
  }
  return reached;
}

}  // namespace shortfall::studies
