#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/dp/tolerance.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/names/names.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/parallel/execution.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall {

/// What a policy is judged by, with ρ the shortfall risk of `loss`:
///
///   γ in (0, 1)   discounted costs,    V(x) = ρ(c + γ V(X'))
///   γ = 1         the long-run average, g + h(x) = ρ(c + h(X')): a cost g per period, the same
///                 from every start, and relative values h, which are what a start costs more
///                 than another, once. Written as long_run_average(loss).
///
/// A finite horizon (finite_horizon.hpp) takes both, and with γ = 1 has the total cost. The average
/// is the limit of discounted values: (1-γ) V(x) → g and V(x) - V(y) → h(x) - h(y) as γ → 1.
struct Criterion {
  AnyLoss loss;
  double gamma;  ///< in (0, 1], or what a function says

  constexpr bool is_average() const { return gamma == 1.0; }
};

inline Criterion long_run_average(AnyLoss loss) {
  return {std::move(loss), 1.0};
}

/// Why a solver stopped.
enum class Status {
  converged,        ///< error_bound meets the tolerance
  iteration_limit,  ///< max_iterations reached first; error_bound still holds
  precision_limit,  ///< tolerance is below what double arithmetic can certify; error_bound holds
  overflow,         ///< a backup exceeded the range of double; values are not usable
  small_change,     ///< the published rule, if asked for: a sweep changed no value by the tolerance
                    ///< or more. error_bound holds, and may exceed the tolerance
  stopped,          ///< by the monitor; error_bound holds
  multichain        ///< the average cost depends on the start: from some states it is certain to be
                    ///< less than from others; from each it is within error_bound of average_cost
};
inline constexpr Names<Status, 7> status_names{{{"converged", Status::converged},
                                                {"iteration-limit", Status::iteration_limit},
                                                {"precision-limit", Status::precision_limit},
                                                {"overflow", Status::overflow},
                                                {"small-change", Status::small_change},
                                                {"stopped", Status::stopped},
                                                {"multichain", Status::multichain}}};
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
  double residual;     ///< max |TV - V| over states; of an average, max |Th - h - g|
  double error_bound;  ///< certified: max |V - V*| ≤ error_bound for the values at this point
};

/// What a solver is asked for. The monitor of its Execution is called after each iteration, with
/// the error bound, and in between: after each sweep, and for inventories also during a sweep, with
/// its fraction.
struct SolverOptions {
  Tolerance tolerance = {};        ///< of max over states of |V - V*|, or of |g - g*|, certified
  int max_iterations = 1000000;    ///< of the method's outer loop
  std::vector<double> start = {};  ///< initial values; empty: zeros
};

/// The result of a solver. `values` are within `error_bound` of the exact ones in every state. Of a
/// long-run average, `average_cost` is within `error_bound` of the exact one; `values` are
/// relative, 0 in the first state, and without a bound of their own; and a policy that was
/// optimised costs at most 2 · error_bound more per period than the best.
struct [[nodiscard]] Solution {
  Status status = Status::iteration_limit;
  double average_cost = std::numeric_limits<double>::quiet_NaN();  ///< unless discounted
  std::vector<double> values;
  Policy policy;  ///< greedy for `values`; empty if only evaluated, or stopped before any bound
  double error_bound = infinity;  ///< until certified
  int iterations = 0;
  std::vector<IterationRecord> trace;

  std::string brief_report() const;  ///< one line: status, bound, iterations
};

}  // namespace shortfall
