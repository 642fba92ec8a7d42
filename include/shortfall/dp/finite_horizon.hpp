#pragma once

#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall {

/// Which stages are kept; all stages of a long horizon over many states may not fit in memory.
enum class KeepStages { all, last };

/// Values and decisions by stages to go, or only those with all stages to go (KeepStages::last).
/// values[0] are the terminal values; values[t](x) = ρ(c + γ values[t-1](X')); policies[t-1] is the
/// policy with t stages to go (empty for a chain). The paper's V_T, which counts the costs c(X_0),
/// .., c(X_T), has T + 1 stages.
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
