#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall {

/// What a policy is judged by: V(x) = ρ(c + γ V(X')) with ρ the shortfall risk of `loss`.
struct Criterion {
  AnyLoss loss;
  double gamma;  ///< discount factor, in (0, 1) except where a function says otherwise
};

/// Why a solver stopped.
enum class Status {
  converged,        ///< error_bound ≤ tolerance
  iteration_limit,  ///< max_iterations reached first; error_bound still holds
  precision_limit,  ///< tolerance is below what double arithmetic can certify; error_bound holds
  overflow          ///< a backup left the range of double; values are not usable
};
std::string_view to_string(Status status);

/// One line of the trace, taken after each iteration.
struct IterationRecord {
  int iteration;
  double residual;     ///< max |TV - V| over states
  double error_bound;  ///< certified: max |V - V*| ≤ error_bound for the values at this point
};

struct SolverOptions {
  double tolerance = 1e-6;       ///< stop once max over states of |V - V*| ≤ tolerance, certified
  int max_iterations = 1000000;  ///< of the method's outer loop
  int threads = 0;               ///< 0: all cores. Results do not depend on it
  std::vector<double> start = {};  ///< values to begin from; empty: zeros
  /// Called from the solving thread, as all of these may throw: that ends the solve.
  std::function<void(const IterationRecord&)> on_iteration = {};
  /// Called from the solving thread between any two sweeps, also those within an iteration.
  std::function<void()> on_sweep = {};
  /// Within a sweep that takes long, as those of large inventories do: the fraction of it that is
  /// done. Called by one thread at a time, any of them.
  std::function<void(double)> on_progress = {};
};

/// What a solver found. `values` are within `error_bound` of the exact ones in every state.
struct [[nodiscard]] Solution {
  Status status = Status::iteration_limit;
  std::vector<double> values;
  Policy policy;  ///< greedy for `values`; empty where a policy was given and only evaluated
  double error_bound = 0.0;
  int iterations = 0;
  std::vector<IterationRecord> trace;

  std::string brief() const;  ///< one line: status, bound, iterations
};

}  // namespace shortfall
