#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall {

/// The row of a terminal state, which has none.
inline constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

/// What one sweep changed, over all states; a terminal state counts as a change of 0.
struct SweepSummary {
  double lowest_change = 0.0;   ///< min (TV - V)
  double highest_change = 0.0;  ///< max (TV - V)
  double lowest_value = 0.0;    ///< min TV
  double highest_value = 0.0;   ///< max TV
  bool finite = true;           ///< false once any TV is infinite or not a number

  double residual() const;  ///< max |TV - V|
};

/// The risk-aware Bellman operator, the one home of the backup that every solver here applies:
///
///   (TV)(x) = min over a of ρ(c + γ V(X') | x, a),   or without the min on a chain.
///
/// It is monotone, and T(V + k) = TV + γk for a constant k (states that are not terminal): a
/// γ-contraction in the sup norm for every loss. Sweeps run in parallel and give the same bits for
/// any number of threads. Refers to the model, which must outlive it.
class BellmanOperator {
 public:
  BellmanOperator(const Mdp& model, const Criterion& criterion, int threads);
  BellmanOperator(const Chain& chain, const Criterion& criterion, int threads);
  ~BellmanOperator();
  BellmanOperator(BellmanOperator&&) noexcept;
  BellmanOperator& operator=(BellmanOperator&&) noexcept;

  std::size_t states() const;
  double gamma() const;
  bool is_terminal(std::size_t x) const;
  bool has_terminal_states() const;

  /// TV into `backed_up`, which must not overlap `values`.
  SweepSummary apply(std::span<const double> values, std::span<double> backed_up) const;

  /// The same, and the row that attains the minimum in each state, no_row where terminal. Risks
  /// that differ by rounding alone count as equal, and among equals the smaller action is taken.
  SweepSummary apply(std::span<const double> values, std::span<double> backed_up,
                     std::span<std::size_t> greedy_rows) const;

  /// TV of one policy: row rows[x] alone in state x.
  SweepSummary apply_policy(std::span<const double> values, std::span<double> backed_up,
                            std::span<const std::size_t> rows) const;

  /// One Gauss-Seidel sweep: each state sees the new values of the states before it.
  SweepSummary apply_in_place(std::span<double> values) const;

  /// Bound, to first order, on how far rounding can put a computed backup from the exact one, for
  /// values in [lowest, highest]. With unit roundoff u, n the longest row, |X| and R the largest
  /// size and spread of targets, it is u (8 |X| + (n + 8) κ R):
  ///
  /// - targets, X - m and the enclosure of the root are off by a few u |X|, which a translation
  ///   invariant risk hands on unchanged;
  /// - E ℓ(X - m) is a sum of n terms and off by at most (n + 8) u E|ℓ(X - m)|, which moves its
  /// root
  ///   by that over the slope s = E ℓ'(X - m). At the root E ℓ⁺ = E ℓ⁻. Where ℓ is convex,
  ///   ℓ(d) ≤ d ℓ'(d) for d > 0 gives E ℓ⁺ ≤ s R, and where it is concave E ℓ⁻ ≤ s R: so κ = 2.
  ///   Otherwise |ℓ(d)| ≤ L₁ |d| and s ≥ ε₁ give κ = L₁/ε₁, infinite where slopes are not bounded;
  /// - the closed forms of mean and entropic risk do no worse.
  double rounding(double lowest, double highest) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The policy that takes, in each state, the action of the given row.
Policy policy_of_rows(const Mdp& model, std::span<const std::size_t> rows);

}  // namespace shortfall
