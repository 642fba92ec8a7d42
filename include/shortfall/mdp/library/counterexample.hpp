#pragma once

#include <Eigen/Core>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/piecewise_linear.hpp"

namespace shortfall::library {

/// δ is a root of 91 δ² - 891 δ + 901 = 0.
enum class DeltaRoot { smaller, larger };

/// A chain on which temporal-difference learning under an expectile may miss the value, although
/// its one feature can represent it. Two states, no costs, and each moves to the other with
/// probability p; features (1, δ)ᵀ. With slopes 1/11 and 10/11, that is τ = 10/11, the sufficient
/// condition requires γ < 1/10, and γ = 9/10 violates it. The value is 0. With q = (1/2, 1/2), the
/// mean-field drift
///
///   f(θ) = Σ_x q(x) φ(x) E ℓ(γ φ(X')θ - φ(x)θ)
///
/// is 0 for every θ ≥ 0 at p = 9/10, and positive for every θ > 0 at p in (9/10, 1). For θ > 0
/// only the move from the first state to the second has a positive temporal difference, so that at
/// p = 9/10 the drift is -(91 δ² - 891 δ + 901) θ / 2200: δ is a root, (891 ± √465917) / 182.
struct Counterexample {
  Mdp model;  ///< the chain, as a model with one action
  Expectile loss;
  double gamma;
  Eigen::MatrixXd features;  ///< 2 × 1
};

/// Throws InvalidInput for p outside (0, 1].
Counterexample counterexample(double p, DeltaRoot root);

}  // namespace shortfall::library
