#pragma once

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/names/names.hpp"

/// The optimal policy: V*(x) = min over a of ρ(c + γ V*(X') | x, a). All methods apply the
/// Bellman sweep of bellman.hpp, use its certified bound and break ties in favour of the smaller
/// action. They throw InvalidInput for γ outside (0, 1) or a tolerance that is not positive.
namespace shortfall {

/// The default. Alternates an improving sweep with a Newton step for V = TV, in policy and weights
/// at once (an evaluation of the policy if the loss is linear). The step's linear system is solved
/// no more accurately than the next improvement needs: by sweeps of the improved policy alone
/// while they contract fast, by a Krylov method where they do not, with a preconditioner of bounded
/// cost where the progress of that is slow. It goes by the contraction that it measures. A step
/// that leads away is taken back; steps that gain less than sweeps would for the same cost
/// alternate with sweeps as in modified policy iteration.
Solution solve(const Mdp& model, const Criterion& criterion, const SolverOptions& options = {},
               const Execution& execution = {});

/// Jacobi sweeps V ← TV, stopped by the two-sided bound of bounds.hpp.
Solution value_iteration(const Mdp& model, const Criterion& criterion,
                         const SolverOptions& options = {}, const Execution& execution = {});

/// In-place sweeps in the order of states, necessarily on one thread, each followed by a Jacobi
/// sweep that certifies the bound.
Solution gauss_seidel(const Mdp& model, const Criterion& criterion,
                      const SolverOptions& options = {}, const Execution& execution = {});

/// Alternates an improving sweep with sweeps of the improved policy alone.
Solution modified_policy_iteration(const Mdp& model, const Criterion& criterion,
                                   const SolverOptions& options = {},
                                   const Execution& execution = {});

/// Alternates an improving sweep with an evaluation of the improved policy by semismooth Newton.
Solution policy_iteration(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options = {}, const Execution& execution = {});

enum class Method {
  adaptive,
  value_iteration,
  gauss_seidel,
  modified_policy_iteration,
  policy_iteration
};
inline constexpr Names<Method, 5> method_names{
    {{"adaptive", Method::adaptive},
     {"policy-iteration", Method::policy_iteration},
     {"modified-policy-iteration", Method::modified_policy_iteration},
     {"value-iteration", Method::value_iteration},
     {"gauss-seidel", Method::gauss_seidel}}};
constexpr std::string_view to_string(Method method) {
  return name_of(method, method_names);
}

/// By the method asked for; `adaptive` is the default.
Solution solve(const Mdp& model, const Criterion& criterion, Method method,
               const SolverOptions& options = {}, const Execution& execution = {});

}  // namespace shortfall
