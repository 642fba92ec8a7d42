#include "studies/learning_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
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

/// The state of each feature, if every state with q > 0 has one of its own; else nothing. Features
/// that are 0 in all of these states have none.
std::optional<std::vector<std::optional<Index>>> states_of_features(const MatrixXd& phi,
                                                                    std::span<const double> q) {
  std::vector<std::optional<Index>> state(static_cast<std::size_t>(phi.cols()));
  std::vector<int> features_of_state(q.size(), 0);
  for (Index j = 0; j < phi.cols(); ++j) {
    for (Index x = 0; x < phi.rows(); ++x) {
      if (q[static_cast<std::size_t>(x)] == 0.0 || phi(x, j) == 0.0) continue;
      if (phi(x, j) != 1.0 || state[static_cast<std::size_t>(j)]) return std::nullopt;
      state[static_cast<std::size_t>(j)] = x;
      ++features_of_state[static_cast<std::size_t>(x)];
    }
  }
  for (std::size_t x = 0; x < q.size(); ++x) {
    if (q[x] > 0.0 && features_of_state[x] != 1) return std::nullopt;
  }
  return state;
}

/// Features that represent every value: no decomposition of Φ is needed, which would take N³.
void solve_tabular(const std::vector<std::optional<Index>>& state, double value_error_bound,
                   LearningProblem& problem) {
  std::vector<Index> used;
  for (std::size_t j = 0; j < state.size(); ++j) {
    if (state[j]) used.push_back(static_cast<Index>(j));
  }
  problem.basis =
      used.size() == state.size() ? problem.phi : MatrixXd(problem.phi(Eigen::all, used));
  VectorXd theta(static_cast<Index>(used.size()));
  for (std::size_t i = 0; i < used.size(); ++i) {
    theta[static_cast<Index>(i)] = problem.value[*state[static_cast<std::size_t>(used[i])]];
  }
  problem.target = problem.basis * theta;
  problem.fixed_point = {.status = theory::FixedPointStatus::converged,
                         .theta = std::move(theta),
                         .error_bound = value_error_bound,
                         .error_estimate = value_error_bound};
}

void solve_projected(double tolerance, LearningProblem& problem) {
  problem.basis = independent_columns(problem.phi, problem.q);
  const theory::MeanField field(problem.chain, problem.loss, problem.gamma, problem.basis,
                                problem.q);
  problem.target = field.projection()(problem.value);
  problem.fixed_point = theory::projected_fixed_point(field, {.tolerance = tolerance});
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
  LearningProblem problem{
      .chain = std::move(setup.chain),
      .loss = std::move(setup.criterion.loss),
      .gamma = setup.criterion.gamma,
      .phi = std::move(phi),
      .q = std::move(setup.q),
      .value = Eigen::Map<const VectorXd>(value.data(), static_cast<Index>(value.size())),
      .restart = setup.restart};
  problem.reach = reach_of(problem.chain, problem.gamma);
  problem.feature_norm = problem.phi.norm();
  problem.effective_gamma = theory::effective_gamma(problem.chain, problem.gamma, problem.q);
  const auto states = states_of_features(problem.phi, problem.q);
  problem.is_tabular = states.has_value();
  if (states && setup.value_error_bound < infinity) {
    solve_tabular(*states, setup.value_error_bound, problem);
  } else {
    solve_projected(setup.tolerance, problem);
  }
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

MatrixXd one_per_state(std::span<const double> q) {
  const auto n = static_cast<Index>(q.size());
  MatrixXd columns = MatrixXd::Zero(n, n - std::ranges::count(q, 0.0));
  for (Index x = 0, j = 0; x < n; ++x) {
    if (q[static_cast<std::size_t>(x)] > 0.0) columns(x, j++) = 1.0;
  }
  return columns;
}

}  // namespace shortfall::studies
