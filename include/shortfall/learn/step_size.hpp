#pragma once

#include <concepts>
#include <cstdint>

#include "shortfall/theory/conditions.hpp"

/// Step sizes η_n of stochastic approximation. Convergence is proved for those with
///
///   Σ η_n = ∞,   Σ η_n² < ∞,   and a finite limit of 1/η_{n+1} - 1/η_n.
namespace shortfall::learn {

/// A rule for η_n, n = 0, 1, ...: any function of n. It may cache intermediate results, but
/// the result must depend on n alone, so that a resumed run gives the same results as an
/// uninterrupted one.
template <class S>
concept StepSize = std::copy_constructible<S> && requires(S rule, std::uint64_t n) {
  { rule(n) } -> std::convertible_to<double>;
};

/// η_n = b₁ / (n + b₂)^δ. Satisfies the assumption iff 1/2 < δ ≤ 1; the limit is 0, or 1/b₁ for δ =
/// 1. The default is that of the paper's experiments.
///
/// A power costs more than an update of ten weights. So one is computed at the beginning of a block
/// of steps, and the later steps of the block are b₁ m^-δ (1 + k/m)^-δ by the binomial series to
/// k⁷, off by less than 1e-16 of η_n if k/m ≤ 1/128. Blocks of 2^(j-7) steps begin at n = 2ʲ for
/// j ≥ 7, so that there are 128 powers for each doubling of n; earlier blocks have one step, or
/// up to 32 if b₂ allows it.
class PolynomialStep {
 public:
  /// Throws InvalidInput unless b₁ and b₂ are positive and finite and 0 ≤ δ ≤ 2.
  explicit PolynomialStep(double b1 = 2.0, double b2 = 100.0, double delta = 2.0 / 3.0);

  double operator()(std::uint64_t n) {
    const std::uint64_t k = n - block_begin_;
    if (k >= block_size_) return first_of_block(n);
    const double t = static_cast<double>(k) * block_inverse_;
    double series = coefficient_[7];
    for (int j = 6; j >= 0; --j) series = series * t + coefficient_[j];
    return block_step_ * series;
  }

  double b1() const { return b1_; }
  double b2() const { return b2_; }
  double delta() const { return delta_; }
  theory::Assumption assumption() const;

 private:
  double first_of_block(std::uint64_t n);

  double b1_;
  double b2_;
  double delta_;
  double coefficient_[8];          // of (1 + t)^-δ
  std::uint64_t block_begin_ = 0;  // the series is valid from here ..
  std::uint64_t block_size_ = 0;   // .. for this many steps
  double block_step_ = 0.0;        // η at block_begin_
  double block_inverse_ = 0.0;     // 1/m, m = block_begin_ + b₂
};

/// η_n = η. Tracks a drifting chain indefinitely, and converges only to a neighbourhood of θ*.
class ConstantStep {
 public:
  /// Throws InvalidInput unless η is positive and finite.
  explicit ConstantStep(double eta);
  double operator()(std::uint64_t) const { return eta_; }
  double eta() const { return eta_; }
  theory::Assumption assumption() const;

 private:
  double eta_;
};

/// Whether the assumption above holds, for any rule. A user-defined rule may declare this by a
/// member `assumption()`; finitely many of its values prove nothing.
theory::Assumption unknown_step_size_assumption();
template <StepSize S>
theory::Assumption step_size_assumption(const S& rule) {
  if constexpr (requires { rule.assumption(); }) {
    return rule.assumption();
  } else {
    return unknown_step_size_assumption();
  }
}

}  // namespace shortfall::learn
