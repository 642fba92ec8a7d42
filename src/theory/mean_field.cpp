#include "shortfall/theory/mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/theory/contraction.hpp"
#include "shortfall/theory/operator_h.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd without_terminal_rows(const Chain& chain, MatrixXd phi) {
  require(static_cast<std::size_t>(phi.rows()) == chain.states(),
          "the features have {} rows; accepted: one for each of {} states", phi.rows(),
          chain.states());
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) phi.row(static_cast<Index>(x)).setZero();
  }
  return phi;
}

/// The largest Σ_x q(x) P(x'|x) / q(x') over non-terminal states x'.
double inflow_ratio(const Chain& chain, std::span<const double> q) {
  std::vector<double> inflow(chain.states(), 0.0);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const Outcomes::Row row = chain.law(x);
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      inflow[row.next[i]] += q[x] * row.probability[i];
    }
  }
  double ratio = 0.0;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (!chain.is_terminal(x) && inflow[x] > 0.0) ratio = std::max(ratio, inflow[x] / q[x]);
  }
  return ratio;
}

/// p · ℓ'(c + γ V(x') - V(x)) of every outcome.
std::vector<double> slope_weights(const Chain& chain, const AnyLoss& any_loss, double gamma,
                                  const VectorXd& values) {
  std::vector<double> weights(chain.outcomes().probability);
  std::visit(
      [&](const auto& loss) {
        for (std::size_t x = 0, i = 0; x < chain.states(); ++x) {
          const double value = values[static_cast<Index>(x)];
          for (; i < chain.outcomes().row_begin[x + 1]; ++i) {
            const double target =
                chain.outcomes().cost[i] + gamma * values[chain.outcomes().next[i]];
            weights[i] *= loss.at(target - value).left_slope;
          }
        }
      },
      any_loss.variant());
  return weights;
}

}  // namespace

MeanField::MeanField(const Chain& chain, AnyLoss loss, double gamma, MatrixXd phi,
                     std::span<const double> q)
    : chain_(&chain),
      loss_(std::move(loss)),
      gamma_(gamma),
      projection_(without_terminal_rows(chain, std::move(phi)), q),
      effective_gamma_(theory::effective_gamma(chain, gamma, q)) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma = {}; accepted: a number in [0, 1]", gamma);
}

VectorXd MeanField::drift(const Eigen::Ref<const VectorXd>& theta) const {
  const MatrixXd& phi = projection_.phi();
  const VectorXd residual = expected_residual(*chain_, loss_, gamma_, phi * theta);
  const std::span<const double> q = projection_.q();
  return phi.transpose() *
         residual.cwiseProduct(Eigen::Map<const VectorXd>(q.data(), residual.size()));
}

MatrixXd MeanField::jacobian(const Eigen::Ref<const VectorXd>& theta) const {
  const MatrixXd& phi = projection_.phi();
  const Outcomes& outcomes = chain_->outcomes();
  const std::vector<double> weights = slope_weights(*chain_, loss_, gamma_, phi * theta);
  const std::span<const double> q = projection_.q();
  // Row x of `change` is q(x) E ℓ'(..) (γ φ(X') - φ(x)).
  MatrixXd change(phi.rows(), phi.cols());
  for (Index j = 0; j < phi.cols(); ++j) {
    for (std::size_t x = 0, i = 0; x < chain_->states(); ++x) {
      const auto state = static_cast<Index>(x);
      double sum = 0.0;
      for (; i < outcomes.row_begin[x + 1]; ++i) {
        sum += weights[i] * (gamma_ * phi(outcomes.next[i], j) - phi(state, j));
      }
      change(state, j) = q[x] * sum;
    }
  }
  return phi.transpose() * change;
}

double effective_gamma(const Chain& chain, double gamma, std::span<const double> q) {
  return gamma > 0.0 ? gamma * std::sqrt(inflow_ratio(chain, q)) : 0.0;
}

double MeanField::monotonicity() const {
  return theory::monotonicity(loss_.slope_bounds(), effective_gamma_);
}

}  // namespace shortfall::theory
