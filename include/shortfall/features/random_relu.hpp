#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/features/random_projection.hpp"

namespace shortfall::features {

/// Random hinges: φ_j(x) = max(0, w_jᵀx̃ + b_j), with (w_j, b_j) standard normal in ℝᵏ⁺¹, after an
/// intercept and, if asked for, the linear terms x̃. They are piecewise linear in x, as V is for
/// piecewise-linear costs and losses.
///
/// With u = (x̃, 1), v = (ỹ, 1) and the angle t between them, (2/D) Σ φ_j(x) φ_j(y) is unbiased for
/// the arc-cosine kernel of order 1 (Cho and Saul, Kernel methods for deep learning, NIPS 2009)
///
///   k(x, y) = ‖u‖ ‖v‖ (sin t + (π - t) cos t) / π,   k(x, x) = ‖u‖²,
///
/// with a standard deviation of at most ‖u‖ ‖v‖ √(6/D). Features grow linearly outside the region
/// of the data. A hinge outside of it is linear there: if D is much larger than the data can
/// distinguish, features become dependent (see rank.hpp; Orthonormal leaves out dependent ones).
class RandomRelu {
 public:
  /// Throws InvalidInput in the cases where RandomProjection does.
  explicit RandomRelu(RandomFeatureOptions options)
      : projection_(std::move(options), RandomProjection::Offsets::normal) {}

  std::size_t dimension() const { return projection_.dimension(); }
  const RandomProjection& projection() const { return projection_; }

  /// Throws InvalidInput if the size of x is not k, or if a feature is not finite.
  template <Point State>
  void write(const State& x, std::span<double> out) const {
    for (double& z : projection_.write(x, out)) z = z < 0.0 ? 0.0 : z;  // keeps NaN
    check_finite(out);
  }

  /// In the order of the features: "1", "x1", .., "relu1", ..
  std::vector<std::string> names() const { return projection_.names("relu"); }

 private:
  RandomProjection projection_;
};

}  // namespace shortfall::features
