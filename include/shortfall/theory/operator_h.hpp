#pragma once

#include <Eigen/Core>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"

/// The operator whose fixed point is the value of a policy. Values are indexed by state; a terminal
/// state has value 0, whatever is passed for it.
namespace shortfall::theory {

/// r(V)(x) = E ℓ(c + γ V(X') - V(x)), over the outcomes of state x; 0 where x is terminal. The
/// value of the chain is the root of r. Throws InvalidInput for γ outside [0, 1] or a wrong length.
Eigen::VectorXd expected_residual(const Chain& chain, const AnyLoss& loss, double gamma,
                                  const Eigen::Ref<const Eigen::VectorXd>& values);

/// HV = V + α r(V), and 0 in terminal states. For its contraction modulus see contraction.hpp.
Eigen::VectorXd operator_h(const Chain& chain, const AnyLoss& loss, double gamma, double alpha,
                           const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace shortfall::theory
