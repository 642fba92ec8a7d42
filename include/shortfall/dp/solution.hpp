#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/dp/tolerance.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/names/names.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/parallel/execution.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall {

/// The criterion for a policy: V(x) = ρ(c + γ V(X')) with ρ the shortfall risk of `loss`.
struct Criterion {
  AnyLoss loss;
  double gamma;  ///< discount factor, in (0, 1) except where a function says otherwise
};

/// Why a solver stopped.
enum class Status {
  converged,        ///< error_bound meets the tolerance
  iteration_limit,  ///< max_iterations reached first; error_bound still holds
  precision_limit,  ///< tolerance is below what double arithmetic can certify; error_bound holds
  overflow,         ///< a backup exceeded the range of double; values are not usable
  small_change,     ///< the published rule, if asked for: a sweep changed no value by the tolerance
                    ///< or more. error_bound holds, and may exceed the tolerance
  stopped           ///< by the monitor; error_bound holds
};
inline constexpr Names<Status, 6> status_names{{{"converged", Status::converged},
                                                {"iteration-limit", Status::iteration_limit},
                                                {"precision-limit", Status::precision_limit},
                                                {"overflow", Status::overflow},
                                                {"small-change", Status::small_change},
                                                {"stopped", Status::stopped}}};
constexpr std::string_view to_string(Status status) {
  return name_of(status, status_names);
}

/// Whether the solver stopped where it was asked to.
constexpr bool is_success(Status status) {
  return status == Status::converged || status == Status::small_change;
}

/// One record of the trace, taken after each iteration.
struct IterationRecord {
  int iteration;
  double residual;     ///< max |TV - V| over states
  double error_bound;  ///< certified: max |V - V*| ≤ error_bound for the values at this point
};

/// What a solver is asked for. The monitor of its Execution is called after each iteration, with
/// the error bound, and in between: after each sweep, and for inventories also during a sweep, with
/// its fraction.
struct SolverOptions {
  Tolerance tolerance = {};        ///< of max over states of |V - V*|, certified
  int max_iterations = 1000000;    ///< of the method's outer loop
  std::vector<double> start = {};  ///< initial values; empty: zeros
};

/// The result of a solver. `values` are within `error_bound` of the exact ones in every state.
struct [[nodiscard]] Solution {
  Status status = Status::iteration_limit;
  std::vector<double> values;
  Policy policy;  ///< greedy for `values`; empty if only evaluated, or stopped before any bound
  double error_bound = infinity;  ///< until certified
  int iterations = 0;
  std::vector<IterationRecord> trace;

  std::string brief_report() const;  ///< one line: status, bound, iterations
};

}  // namespace shortfall
