#pragma once

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"

/// What a fixed policy is worth: V(x) = ρ(c + γ V(X') | x) on its chain.
namespace shortfall {

/// Sweeps V ← TV: about log(tolerance) / log(γ) of them at worst.
Solution evaluate_by_sweeps(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options = {});

/// Semismooth Newton on TV - V = 0. A step solves (I - γ P_w) d = TV - V by a Krylov method, with
/// P_w the chain's kernel tilted by the loss's slopes, w ∝ p ℓ'(c + γ V' - V). Few iterations even
/// for γ close to one; a step that does not shrink the residual is replaced by a sweep.
Solution evaluate_by_newton(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options = {});

}  // namespace shortfall
