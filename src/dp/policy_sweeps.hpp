#pragma once

#include <cstddef>
#include <span>

#include "dp/iteration.hpp"
#include "dp/tangent_solver.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall::detail {

/// How modified policy iteration gets from an improving sweep to the values for the next one: by
/// sweeps of the policy that it found, from its result, until they have gained what another
/// improving sweep would check anyway, nine tenths of the bound, or have cost several times as much
/// as it. For the mean, they read the policy's rows packed: with b = TV - V, n sweeps from TV lead
/// to V + b + γ W b + ... + (γ W)ⁿ b.
class PolicySweeps {
 public:
  PolicySweeps(const Outcomes& outcomes, const BellmanOperator& bellman, TangentSolver& solver);

  /// Replaces the run's values. Returns the cost in improving sweeps, without the last one.
  double sweep(Iteration& run, std::span<const std::size_t> rows);

  double rows_per_state() const { return rows_per_state_; }

 private:
  double sweep_packed(Iteration& run, std::span<const std::size_t> rows);
  double sweep_with_losses(Iteration& run, std::span<const std::size_t> rows);

  const Outcomes& outcomes_;
  const BellmanOperator& bellman_;
  TangentSolver& solver_;
  double rows_per_state_;
};

}  // namespace shortfall::detail
