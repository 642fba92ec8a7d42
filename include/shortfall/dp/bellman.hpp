#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall {

namespace detail {
struct BackedUpRows;
}

/// The row index of a terminal state, which has no rows.
inline constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

/// Changes made by one sweep, over all states; a terminal state counts as a change of 0. By default
/// over no state: minima are +∞, maxima -∞, and the residual +∞.
struct SweepSummary {
  double lowest_change = infinity;    ///< min (TV - V)
  double highest_change = -infinity;  ///< max (TV - V)
  double lowest_value = infinity;     ///< min TV
  double highest_value = -infinity;   ///< max TV
  bool finite = true;                 ///< false once any TV is infinite or not a number

  double residual() const;    ///< max |TV - V|
  double half_width() const;  ///< max |TV - V - k| for the best constant k
};

/// The risk-aware Bellman operator. Every solver here applies this one implementation
/// of the backup:
///
///   (TV)(x) = min over a of ρ(c + γ V(X') | x, a),   or without the min on a chain.
///
/// It is monotone, and T(V + k) = TV + γk for a constant k (in non-terminal states), so it is
/// a γ-contraction in the sup norm for every loss. Sweeps run in parallel, and their results
/// are bitwise identical for any number of threads. Holds a reference to the model, which
/// must outlive it.
class BellmanOperator {
 public:
  BellmanOperator(const Mdp& model, const Criterion& criterion, const Execution& execution = {});
  BellmanOperator(const Chain& chain, const Criterion& criterion, const Execution& execution = {});
  ~BellmanOperator();
  BellmanOperator(BellmanOperator&&) noexcept;
  BellmanOperator& operator=(BellmanOperator&&) noexcept;

  std::size_t states() const;
  double gamma() const;
  bool is_terminal(std::size_t x) const;
  bool has_terminal_states() const;
  const detail::Partition& partition() const;
  const detail::BackedUpRows& rows() const;
  const AnyLoss& loss() const;

  /// Writes TV to `backed_up`, which must not overlap `values`. All spans of these functions have
  /// one element per state; they throw InvalidInput for other sizes.
  SweepSummary apply(std::span<const double> values, std::span<double> backed_up) const;

  /// Also returns the row that attains the minimum in each state, no_row in terminal states. Risks
  /// that differ only by rounding count as equal; ties go to the smaller action.
  SweepSummary apply(std::span<const double> values, std::span<double> backed_up,
                     std::span<std::size_t> greedy_rows) const;

  /// TV under a fixed policy: only row rows[x] in state x.
  SweepSummary apply_policy(std::span<const double> values, std::span<double> backed_up,
                            std::span<const std::size_t> rows) const;

  /// One Gauss-Seidel sweep: each state uses the new values of the states before it.
  SweepSummary apply_in_place(std::span<double> values) const;

  /// Bound on the distance of the computed backup from the exact one in the given sweep: the
  /// rounding bound of risk/rounding.hpp for the largest and most widely spread targets that the
  /// values before and after the sweep allow, plus the error already present in the costs.
  double rounding(const SweepSummary& sweep) const;

  /// Calls `work` so that parallel loops in it use the threads of this operator.
  void run(const std::function<void()>& work) const;

 private:
  void check_sizes(std::initializer_list<std::size_t> sizes) const;

  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The policy that takes the action of the given row in each state.
Policy policy_of_rows(const Mdp& model, std::span<const std::size_t> rows);

}  // namespace shortfall
