#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/features/point_features.hpp"

namespace shortfall::features {

/// Hat functions on a grid: multilinear interpolation. Each coordinate j has knots t_j1 < t_j2 <
/// .., each of which has a hat, 1 at the knot and linear down to 0 at its neighbours; a feature is
/// the product of one hat of each coordinate. So θ_i is the value at a node of the grid, and φ(x)ᵀθ
/// interpolates between the 2ᵏ nodes around x, exactly for functions that are linear in each
/// coordinate. Points outside the box of the knots count as the nearest point in it.
///
/// The nodes are numbered with the last coordinate fastest: d = Π_j (number of knots). A coordinate
/// with one knot has no influence.
///
/// Check: knots {0, 1} and {0, 10}; at (0.25, 4) the features are (0.45, 0.3, 0.15, 0.1).
class Hats : public PointFeatures<Hats> {
 public:
  /// Throws InvalidInput unless there are 1 to max_coordinates coordinates, each with knots that
  /// are finite and increase, and at most 2³¹ features.
  explicit Hats(std::vector<std::vector<double>> knots);
  /// `nodes` knots in each coordinate, at least 2, at equal distances from low to high.
  static Hats uniform(std::span<const double> low, std::span<const double> high,
                      std::span<const std::size_t> nodes);

  std::size_t coordinates() const { return knots_.size(); }
  std::size_t dimension() const { return dimension_; }
  std::size_t max_active() const { return max_active_; }
  const std::vector<std::vector<double>>& knots() const { return knots_; }

 private:
  friend PointFeatures<Hats>;
  void write_at(std::span<const double> x, std::span<double> out) const;
  void write_active_at(std::span<const double> x, ActiveFeatures& out) const;
  template <class Use>
  void for_each_active(std::span<const double> x, const Use& use) const;

  std::vector<std::vector<double>> knots_;
  std::size_t dimension_;
  std::size_t max_active_;
};

}  // namespace shortfall::features
