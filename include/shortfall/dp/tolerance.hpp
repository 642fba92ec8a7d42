#pragma once

#include <algorithm>
#include <optional>

namespace shortfall {

/// How far the values of a solver may be from the exact ones, max over states of |V - V*|,
/// certified.
///
/// Given as a number, it is that: 0.001 is met by error_bound ≤ 0.001 and by nothing else. Unless
/// given, solvers go on until error_bound ≤ 1e-6, or as far as double precision allows where values
/// are large; that is enough if
///
///     error_bound ≤ 1e-6 · max(1, max over states of |V|).
///
/// Discounted costs of 1 000 a period at γ = 0.99 are values of 100 000, of which double precision
/// certifies no more than about 1e-6: a bound of 2.1e-6 meets the default, and not 1e-6.
class Tolerance {
 public:
  static constexpr double unless_given = 1e-6;

  constexpr Tolerance() = default;
  // Options are written as numbers: {.tolerance = 0.001}.
  constexpr Tolerance(double error) : goal_(error), given_(true) {}  // NOLINT(*-explicit-*)
  constexpr Tolerance(std::optional<double> error)                   // NOLINT(*-explicit-*)
      : goal_(error.value_or(unless_given)), given_(error.has_value()) {}

  /// The error bound that solvers aim at.
  constexpr double goal() const { return goal_; }
  constexpr bool is_given() const { return given_; }

  /// Whether values up to `largest` in size are an answer with this bound.
  constexpr bool is_met(double error_bound, double largest) const {
    return error_bound <= goal_ || (!given_ && error_bound <= unless_given * largest);
  }

  /// The same, but aiming at no less than `error`.
  constexpr Tolerance at_least(double error) const {
    Tolerance wider = *this;
    wider.goal_ = std::max(goal_, error);
    return wider;
  }

 private:
  double goal_ = unless_given;
  bool given_ = false;
};

}  // namespace shortfall
