#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shortfall/features/random_projection.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::features {

struct RandomFourierOptions {
  RandomFeatureOptions features;
  /// L > 0: how far apart scaled points must be for their values to differ. The default, √k, is a
  /// typical distance over √2 of points scaled to variance 1.
  std::optional<double> length = {};
};

/// Random waves: φ_j(x) = √(2/D) cos(w_jᵀx̃ + b_j), with w_j normal of variance 1/L² and b_j uniform
/// on [0, 2π), after an intercept and, if asked for, the linear terms x̃ (Rahimi and Recht, Random
/// features for large-scale kernel machines, NIPS 2007). Their inner product is unbiased for the
/// Gaussian kernel:
///
///   Σ φ_j(x) φ_j(y) ≈ exp(-‖x̃ - ỹ‖² / (2L²)),
///
/// and off by ε or more with probability at most 2 exp(-Dε²/8), by Hoeffding's inequality. They are
/// smooth and bounded: kinks and growth, as V has, are left to the linear terms.
///
/// The same seed gives the same w and b on every machine, and φ up to the last places of cos.
class RandomFourier {
 public:
  /// Throws InvalidInput in the cases where RandomProjection does.
  explicit RandomFourier(RandomFourierOptions options);

  std::size_t dimension() const { return projection_.dimension(); }
  const RandomProjection& projection() const { return projection_; }
  double length() const { return length_; }

  /// Throws InvalidInput if the size of x is not k, or if a feature is not finite.
  template <Point State>
  void write(const State& x, std::span<double> out) const {
    for (double& z : projection_.write(x, out)) z = amplitude_ * portable::cos(z);
    check_finite(out);
  }

  /// In the order of the features: "1", "x1", .., "cos1", ..
  std::vector<std::string> names() const { return projection_.names("cos"); }

 private:
  double length_;
  RandomProjection projection_;
  double amplitude_;  // √(2/D)
};

}  // namespace shortfall::features
