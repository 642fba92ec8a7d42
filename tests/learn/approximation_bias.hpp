#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "shortfall/learn/step_size.hpp"
#include "shortfall/learn/summary.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Bound on the distance of the mean of tabular stochastic approximation, v ← v + η ℓ(c + γ
/// v' - v), from its limit v* after n steps: the tolerance of a test beyond its statistical error.
///
/// Split v = v* + b + e into bias and noise, E e = 0. With slopes of ℓ in [ε, L] and η ≤ 1/L,
///
///   ‖b_{n+1}‖ ≤ (1 - η ε (1-γ)) ‖b_n‖ + η r_n,    r_n = max over entries of |E ℓ(δ + d)|
///
/// in the sup norm, with δ the temporal difference at v* and d = γ e' - e its noise. E ℓ(δ) = 0, so
/// r_n comes from kinks of ℓ alone: one at z with a jump of the slope adds |jump| E(d - |δ - z|)⁺,
/// and by Scarf (1958) E(d - g)⁺ ≤ (√(s² + g²) - g) / 2 for any d of mean 0 and deviation s. This
/// is at most quadratic in s, and s² falls as η does, so with η_k = b / (k + b₂), b ε (1-γ) = 2:
///
///   ‖b_n‖ ≤ (b₂ / (n + b₂))² ‖b_0‖ + 2 r_n / (κ (1-γ))
///
/// with κ = ε. The r_n near the end come from steps at which d is small, so that ε may be
/// replaced by the slopes within 5 s of δ, averaged over outcomes: κ is their smallest mean over
/// the entries.
namespace shortfall::testing {

class BiasBound {
 public:
  BiasBound(const AnyLoss& loss, double gamma) : slopes_(loss.slope_bounds()), gamma_(gamma) {
    std::visit(
        [this](const auto& alternative) {
          if constexpr (requires { alternative.pieces(); }) {
            pieces_.assign(alternative.pieces().begin(), alternative.pieces().end());
          }
        },
        loss.variant());
  }

  double gamma() const { return gamma_; }
  learn::PolynomialStep step() const { return learn::PolynomialStep(b1(), b2(), 1.0); }

  /// The largest E(d - gap)⁺ for d of mean 0 and deviation s.
  static double overshoot(double s, double gap) { return 0.5 * (std::hypot(s, gap) - gap); }

  /// The contribution of an entry to r_n and to κ: the sum over its outcomes, of
  /// probability p each.
  struct Entry {
    double residual = 0.0;
    double slope = 0.0;
  };
  void add(Entry& entry, double p, double delta, double s) const {
    double lowest = slopes_.upper;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const double from = pieces_[i].from;
      const bool is_last = i + 1 == pieces_.size();
      if (i > 0) {
        const double jump = std::abs(pieces_[i].slope - pieces_[i - 1].slope);
        entry.residual += p * jump * overshoot(s, std::abs(delta - from));
      }
      if (from <= delta + 5.0 * s && (is_last || pieces_[i + 1].from >= delta - 5.0 * s)) {
        lowest = std::min(lowest, pieces_[i].slope);
      }
    }
    entry.slope += p * lowest;
  }
  double largest_slope() const { return slopes_.upper; }

  /// Bound on ‖b_n‖ for ‖b_0‖ = start.
  double after(std::uint64_t n, double start, std::span<const Entry> entries) const {
    double residual = 0.0;
    double slope = slopes_.upper;
    for (const Entry& entry : entries) {
      residual = std::max(residual, entry.residual);
      slope = std::min(slope, entry.slope);
    }
    const double shrunk = b2() / (static_cast<double>(n) + b2());
    return shrunk * shrunk * start + 2.0 * residual / (slope * (1.0 - gamma_));
  }

 private:
  double b1() const { return 2.0 / (slopes_.lower * (1.0 - gamma_)); }
  double b2() const { return b1() * slopes_.upper; }

  SlopeBounds slopes_;
  double gamma_;
  std::vector<LinearPiece> pieces_;
};

/// Mean and deviation of each entry over replications.
struct Spread {
  explicit Spread(const std::vector<std::vector<double>>& runs) : replications(runs.size()) {
    for (std::size_t i = 0; i < runs.front().size(); ++i) {
      std::vector<double> entries;
      for (const auto& run : runs) entries.push_back(run[i]);
      const learn::Summary summary = learn::summarise(entries);
      mean.push_back(summary.mean);
      standard_error.push_back(summary.standard_error);
      deviation.push_back(summary.standard_error * std::sqrt(static_cast<double>(replications)));
    }
  }
  std::size_t replications;
  std::vector<double> mean;
  std::vector<double> standard_error;
  std::vector<double> deviation;
};

/// Student's t with 31 degrees of freedom is beyond ±5 with probability 2e-5: small for the 500 or
/// so comparisons made here of means of 32 replications.
inline constexpr std::size_t replications = 32;
inline constexpr double standard_errors = 5.0;

inline double largest(std::span<const double> values) {
  double size = 0.0;
  for (const double v : values) size = std::max(size, std::abs(v));
  return size;
}

}  // namespace shortfall::testing
