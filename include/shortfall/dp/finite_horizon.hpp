#pragma once

#include <string_view>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/names/names.hpp"

namespace shortfall {

/// Which stages are kept; all stages of a long horizon over many states may not fit in memory.
enum class KeepStages { all, last };

/// Where the discount factor stands in a stage. With V_0 the terminal values:
///
///   inside    V_t(x) = ρ(c + γ V_{t-1}(X')),      the Bellman equation of all other solvers
///   outside   V_t(x) = γ ρ(c/γ + V_{t-1}(X')),    that is c + γ ρ(V_{t-1}(X')) if c is known at x
///
/// Inside, the risk is that of amounts already discounted to today; outside, that of tomorrow's
/// amounts, as they will be paid. Both are the same if γ = 1, and for every γ if the risk is
/// positively homogeneous (mean, expectiles): then γ ρ(Y/γ) = ρ(Y). For other losses γ ρ(Y/γ) is
/// the risk of the loss ℓ(·/γ): outside with entropic:β is inside with entropic:β/γ.
///
/// Wang and Delage write both. Their V_T, which counts the costs c(X_0), .., c(X_T), has γ outside
/// and T + 1 stages; the Bellman equation that they give for its limit has γ inside. Check: γ =
/// 1/2, entropic with β = 1, cost 0 and then 0 or 4 with probability 1/2 each. Inside, log((1 +
/// e²)/2) = 1.434; outside, log((1 + e⁴)/2)/2 = 1.663.
enum class Discount { inside, outside };
inline constexpr Names<Discount, 2> discount_names{
    {{"inside", Discount::inside}, {"outside", Discount::outside}}};
constexpr std::string_view to_string(Discount discount) {
  return name_of(discount, discount_names);
}

/// Values and decisions by stages to go, or only those with all stages to go (KeepStages::last).
/// values[0] are the terminal values, values[t] those of the equation above; policies[t-1] is the
/// policy with t stages to go (empty for a chain).
struct [[nodiscard]] FiniteHorizonSolution {
  /// converged, overflow, or stopped with the stages done so far
  Status status = Status::iteration_limit;
  std::vector<std::vector<double>> values;
  std::vector<Policy> policies;
  double error_bound = infinity;  ///< rounding only: the recursion itself is exact
};

/// The monitor of the Execution is called after each stage.
struct FiniteHorizonOptions {
  int stages = 1;
  std::vector<double> terminal_values = {};  ///< empty: zeros
  KeepStages keep = KeepStages::all;
  Discount discount = Discount::inside;
};

/// γ in (0, 1]. Throws InvalidInput if the stages to keep do not fit in memory. For a problem that
/// is certain to end within `stages` steps, the result is its total risk.
FiniteHorizonSolution solve_finite_horizon(const Mdp& model, const Criterion& criterion,
                                           const FiniteHorizonOptions& options,
                                           const Execution& execution = {});
FiniteHorizonSolution evaluate_finite_horizon(const Chain& chain, const Criterion& criterion,
                                              const FiniteHorizonOptions& options,
                                              const Execution& execution = {});

}  // namespace shortfall
