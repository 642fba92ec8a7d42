#pragma once

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/names/names.hpp"

/// The value of a fixed policy: V(x) = ρ(c + γ V(X') | x) on its chain.
namespace shortfall {

/// Sweeps V ← TV, at worst about log(tolerance) / log(γ) of them.
Solution evaluate_by_sweeps(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options = {}, const Execution& execution = {});

/// Semismooth Newton on TV - V = 0. A step solves (I - γ P_w) d = TV - V by a Krylov method,
/// where P_w is the chain's kernel tilted by the slopes of the loss, w ∝ p ℓ'(c + γ V' - V).
/// Takes few iterations even for γ close to one. A step that does not reduce the residual is
/// replaced by a sweep.
Solution evaluate_by_newton(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options = {}, const Execution& execution = {});

enum class Evaluator { newton, sweeps };
inline constexpr Names<Evaluator, 2> evaluator_names{
    {{"newton", Evaluator::newton}, {"sweeps", Evaluator::sweeps}}};

Solution evaluate(const Chain& chain, const Criterion& criterion, Evaluator evaluator,
                  const SolverOptions& options = {}, const Execution& execution = {});

}  // namespace shortfall
