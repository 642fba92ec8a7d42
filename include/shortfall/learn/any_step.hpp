#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "shortfall/learn/step_size.hpp"

namespace shortfall::learn {

/// Steps that need no tuning,
///
///   η_n = (1 + n/1000)^-0.51 / (L_n R_n),
///
/// with the largest squared length R_n of features so far, times their weights, and the largest
/// slope L of the loss. No step then overshoots: with |φ|² ≤ R and ℓ(δ) ≤ L δ, it moves φᵀθ at most
/// to its target. They decrease so slowly that the last iterate stays noisy; learners therefore
/// report the mean of the last half of the iterates, whose variance is about the least there is,
/// whatever the steps (Polyak and Juditsky, 1992). Where the slopes of a loss are not bounded, L_n
/// is the largest of ℓ'(δ) and ℓ(δ)/δ so far.
///
/// If features and, for such losses, residuals are bounded, L_n R_n no longer changes after a
/// while, and the steps satisfy the assumption of step_size.hpp.
class ScaledStep {
 public:
  static constexpr double exponent = 0.51;
  static constexpr double delay = 1000.0;

  ScaledStep();

  /// Takes account of an update with features of this `size`, ω |φ|², and of a slope.
  void include(double size, double slope) {
    if (size > largest_size_ || slope > steepest_) [[unlikely]]
      enlarge(size, slope);
  }
  /// After that; 0 as long as all features were zero.
  double operator()(std::uint64_t n) { return first_ * decrease_(n); }
  theory::Assumption assumption() const;

  template <class Archive>
  void archive(Archive& state) {
    state(largest_size_);
    state(steepest_);
    state.check([this] { check_state(); });
    enlarge(largest_size_, steepest_);
  }

 private:
  void enlarge(double size, double slope);
  void check_state() const;

  double largest_size_ = 0.0;
  double steepest_ = 0.0;
  double first_ = 0.0;       // 1 / (L R)
  PolynomialStep decrease_;  // (1 + n/1000)^-0.51
};

/// A step size chosen at run time: scaled by default. Learners with scaled steps report the mean of
/// the last half of their iterates, and whether it has settled; with other steps, the last iterate.
class AnyStep {
 public:
  AnyStep() = default;
  AnyStep(PolynomialStep step) : step_(step) {}  // NOLINT(google-explicit-constructor)
  AnyStep(ConstantStep step) : step_(step) {}    // NOLINT(google-explicit-constructor)

  /// Parses `scaled`, `B1,B2,DELTA` for b₁/(n + b₂)^δ, or `ETA` for a constant step. Throws
  /// InvalidInput.
  static AnyStep parse(std::string_view spec);
  std::string to_string() const;

  bool is_scaled() const { return std::holds_alternative<ScaledStep>(step_); }
  /// Of scaled steps, else null.
  ScaledStep* scaled() { return std::get_if<ScaledStep>(&step_); }

  double operator()(std::uint64_t n) {
    return std::visit([at = std::min(n, last_)](auto& step) { return step(at); }, step_);
  }
  /// Steps that no longer decrease after this many updates.
  AnyStep held_after(std::uint64_t updates) const {
    AnyStep held = *this;
    held.last_ = updates;
    return held;
  }
  /// The number of updates after which they no longer decrease.
  std::uint64_t last() const { return last_; }
  theory::Assumption assumption() const {
    return std::visit([](const auto& step) { return step.assumption(); }, step_);
  }

 private:
  std::variant<ScaledStep, PolynomialStep, ConstantStep> step_;
  std::uint64_t last_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace shortfall::learn
