#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace shortfall::learn {

/// How a learner is doing. It is reported by the update after which it holds.
enum class Status {
  ok,
  warming_up,  ///< Newton, the first n₀ samples: θ is still what it was at the start
  singular,    ///< Newton, afterwards: its matrix has no usable inverse; θ waits, samples are kept
  diverged     ///< θ is beyond recovery and no longer changes
};
std::string_view to_string(Status status);

/// Values of more than this many times what costs can add up to are taken as divergence.
inline constexpr double divergence_factor = 1e8;

/// Tells divergence from learning, in O(1) and without a scale given by the user: |V| can be no
/// larger than max |c| · Σ γᵏ, a sum over the horizon or, with γ = 1, over the steps seen so far.
/// What an initial θ makes of states does not count; the learner says what that is.
class DivergenceGuard {
 public:
  explicit DivergenceGuard(double gamma) : horizon_limit_(1.0 / (1.0 - gamma)) {}

  /// Whether the values of a transition are in the range; false for NaN and infinities, which
  /// leave no trace here.
  bool accepts(double cost, double value, double value_next) {
    const double reach = std::max(std::abs(value), std::abs(value_next));
    if (!(std::abs(cost) + std::abs(value) + std::abs(value_next) <= largest_double)) return false;
    horizon_ = std::min(horizon_ + 1.0, horizon_limit_);
    largest_cost_ = std::max(largest_cost_, std::abs(cost));
    return reach <= divergence_factor * (largest_cost_ * horizon_ + start_);
  }

  /// That values of this size are no news.
  void has_seen(double value, double value_next) {
    start_ = std::max({start_, std::abs(value), std::abs(value_next)});
  }

  template <class Archive>
  void archive(Archive& state) {
    state(horizon_);
    state(largest_cost_);
    state(start_);
    state.check([this] { check_state(); });
  }

 private:
  static constexpr double largest_double = std::numeric_limits<double>::max();
  void check_state() const;

  double horizon_limit_;
  double horizon_ = 0.0;  // Σ γᵏ is at most this
  double largest_cost_ = 0.0;
  double start_ = 0.0;
};

}  // namespace shortfall::learn
