#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "shortfall/names/names.hpp"

namespace shortfall::learn {

/// The state of a learner, returned by each update.
enum class LearnerStatus {
  ok,
  warming_up,  ///< Newton, the first n₀ samples: θ still has its initial value
  singular,  ///< Newton, later: its matrix has no usable inverse; θ is fixed, samples are collected
  diverged,    ///< θ is out of range and no longer changes
  not_settled  ///< TD with scaled steps: its values may be off by more than 2 %, or there
               ///< are too few updates to tell; see IterateMeans
};
inline constexpr Names<LearnerStatus, 5> status_names{
    {{"ok", LearnerStatus::ok},
     {"warming-up", LearnerStatus::warming_up},
     {"singular", LearnerStatus::singular},
     {"diverged", LearnerStatus::diverged},
     {"not-settled", LearnerStatus::not_settled}}};
constexpr std::string_view to_string(LearnerStatus status) {
  return name_of(status, status_names);
}

/// Whether the values may be used, if perhaps not relied on.
constexpr bool has_values(LearnerStatus status) {
  return status == LearnerStatus::ok || status == LearnerStatus::not_settled;
}

/// Values of more than this many times the largest possible sum of costs count as divergence.
inline constexpr double divergence_factor = 1e8;

/// Detects divergence in O(1) and without a scale given by the user: |V| cannot exceed
/// max |c| · Σ γᵏ, a sum over the horizon or, with γ = 1, over the steps seen so far. Values due to
/// the initial θ do not count; the learner reports them.
class DivergenceGuard {
 public:
  explicit DivergenceGuard(double gamma) : horizon_limit_(1.0 / (1.0 - gamma)) {}

  /// Whether the values of a transition are in range; false for NaN and infinities, which do not
  /// change the guard.
  bool accepts(double cost, double value, double value_next) {
    const double reach = std::max(std::abs(value), std::abs(value_next));
    if (!(std::abs(cost) + std::abs(value) + std::abs(value_next) <= largest_double)) return false;
    horizon_ = std::min(horizon_ + 1.0, horizon_limit_);
    largest_cost_ = std::max(largest_cost_, std::abs(cost));
    return reach <= divergence_factor * (largest_cost_ * horizon_ + start_);
  }

  /// Accepts values of this size, because they are due to the initial θ.
  void include_initial_values(double value, double value_next) {
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
