#pragma once

#include <Eigen/Core>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::theory::detail {

/// By state: r(V)(x) = E ℓ(c + γ V(X') - V(x)) and the mean of the left slopes at its terms; both
/// are 0 if x is terminal.
struct Residual {
  Eigen::VectorXd value;
  Eigen::VectorXd mean_slope;
};

Residual residual(const Chain& chain, const AnyLoss& loss, double gamma,
                  const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace shortfall::theory::detail
