#include "studies/learning_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "require.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd zero_where_terminal(const Chain& chain, MatrixXd phi) {
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) phi.row(static_cast<Index>(x)).setZero();
  }
  return phi;
}

MatrixXd independent_columns(const MatrixXd& phi, std::span<const double> q) {
  const std::vector<theory::DependentFeature> dependent = theory::dependent_features(phi, q);
  if (dependent.empty()) return phi;
  MatrixXd kept(phi.rows(), phi.cols() - static_cast<Index>(dependent.size()));
  Index next = 0;
  for (Index j = 0; j < phi.cols(); ++j) {
    if (std::ranges::count(dependent, j, &theory::DependentFeature::feature) > 0) continue;
    kept.col(next++) = phi.col(j);
  }
  require(kept.cols() > 0,
          "all features are 0 in every state that is visited; accepted: features that are not");
  return kept;
}

double reach_of(const Chain& chain, double gamma) {
  const double horizon = gamma < 1.0 ? 1.0 / (1.0 - gamma) : static_cast<double>(chain.states());
  return chain.outcomes().largest_cost() * horizon;
}

}  // namespace

double LearningProblem::norm(const Eigen::Ref<const VectorXd>& v) const {
  return theory::q_norm(v, q);
}

double LearningProblem::distance_to_target(const Eigen::Ref<const VectorXd>& theta) const {
  return theory::q_norm(phi * theta - target, q);
}

LearningProblem learning_problem(LearningSetup setup, std::span<const double> value) {
  MatrixXd phi = zero_where_terminal(setup.chain, std::move(setup.phi));
  MatrixXd basis = independent_columns(phi, setup.q);
  LearningProblem problem{
      .chain = std::move(setup.chain),
      .loss = std::move(setup.criterion.loss),
      .gamma = setup.criterion.gamma,
      .phi = std::move(phi),
      .q = std::move(setup.q),
      .value = Eigen::Map<const VectorXd>(value.data(), static_cast<Index>(value.size())),
      .basis = std::move(basis),
      .target = {},
      .fixed_point = {},
      .reach = 0.0,
      .feature_norm = 0.0,
      .restart = setup.restart,
      .effective_gamma = 0.0};
  problem.reach = reach_of(problem.chain, problem.gamma);
  problem.feature_norm = problem.phi.norm();
  const theory::MeanField field(problem.chain, problem.loss, problem.gamma, problem.basis,
                                problem.q);
  problem.effective_gamma = field.effective_gamma();
  problem.target = field.projection()(problem.value);
  problem.fixed_point = theory::projected_fixed_point(field, {.tolerance = setup.tolerance});
  return problem;
}

learn::ErrorMetric metric_of(const LearningProblem& problem) {
  learn::ErrorMetric metric{.phi = features::Dense(problem.phi),
                            .q = problem.q,
                            .projected_value = entries_of(problem.target)};
  if (problem.has_fixed_point()) metric.fixed_point = entries_of(problem.fixed_point_values());
  return metric;
}

std::vector<double> entries_of(const Eigen::Ref<const VectorXd>& v) {
  return {v.data(), v.data() + v.size()};
}

double updates_to(double threshold, const std::vector<CurveHeight>& curve) {
  double reached = infinity;
  for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
    if (!(point->distance <= threshold)) break;
    reached = static_cast<double>(point->updates);
  }
  return reached;
}

}  // namespace shortfall::studies
