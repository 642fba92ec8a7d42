#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/features/point_features.hpp"

namespace shortfall::features {

struct NormalisedRadialOptions {
  std::vector<double> centres;  ///< d points of k coordinates, one after the other
  std::vector<double> widths;   ///< σ_j > 0, by coordinate: k numbers
  /// In [0, 1): features below this part of the largest are 0, so that few are active.
  double cutoff = 1e-3;
};

/// Normalised radial functions: smooth bumps around d centres c_i, divided by their sum,
///
///   φ_i(x) = w_i(x) / Σ_j w_j(x),   w_i(x) = exp(-½ Σ_j ((x_j - c_ij) / σ_j)²),
///
/// where w_i counts as 0 if it is below `cutoff` times the largest. Only ratios are computed, so
/// that far from all centres, where every w underflows, the nearest centre has φ = 1. O(d k) time.
///
/// Check: centres 0 and 1, σ = 1: φ(0) = (1, e^-½) / (1 + e^-½) = (0.6225, 0.3775).
class NormalisedRadial : public PointFeatures<NormalisedRadial> {
 public:
  /// Throws InvalidInput without centres, for a width that is not positive and finite, centres that
  /// are not finite or not of k coordinates, and a cutoff outside [0, 1).
  explicit NormalisedRadial(NormalisedRadialOptions options);

  std::size_t coordinates() const { return options_.widths.size(); }
  std::size_t dimension() const { return options_.centres.size() / coordinates(); }
  std::size_t max_active() const { return dimension(); }
  const NormalisedRadialOptions& options() const { return options_; }

 private:
  friend PointFeatures<NormalisedRadial>;
  /// These also throw InvalidInput for points more than 1e150 widths away from all centres.
  void write_at(std::span<const double> x, std::span<double> out) const;
  void write_active_at(std::span<const double> x, ActiveFeatures& out) const;
  double square(std::span<const double> x, std::size_t i) const;
  double least_square(std::span<const double> x) const;

  NormalisedRadialOptions options_;
  double largest_excess_;  // of a square above the least, for an active feature
};

}  // namespace shortfall::features
