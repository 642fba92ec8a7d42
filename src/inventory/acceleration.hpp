#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shortfall::inventory {

/// Anderson's acceleration of a fixed-point iteration V ← g(V) (J. ACM 12, 1965; type II of Fang
/// and Saad, Numer. Linear Algebra Appl. 16, 2009). With f = g(V) - V and the differences ΔF, ΔG of
/// the last few f and g, the next iterate is
///
///   g - ΔG a,   a = argmin ‖f - ΔF a‖₂,
///
/// which for an affine g does what GMRES does. It says nothing about errors: those are bounded by
/// what the next sweep finds, wherever it begins.
class Acceleration {
 public:
  explicit Acceleration(std::size_t depth = 4) : depth_(depth) {}

  /// Forgets the past, after a step that did not help.
  void restart() { steps_.clear(); }

  /// The next iterate in place of `values`; `swept` is g(values).
  void advance(std::span<double> values, std::span<const double> swept);

 private:
  struct Step {
    std::vector<double> f;  // at first f and g themselves, then the differences to the next ones
    std::vector<double> g;
  };
  std::size_t depth_;
  std::vector<Step> steps_;
};

}  // namespace shortfall::inventory
