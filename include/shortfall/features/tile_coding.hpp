#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/features/point_features.hpp"

namespace shortfall::features {

struct TileCodingOptions {
  std::vector<double> low;   ///< the box, by coordinate
  std::vector<double> high;  ///< above `low`
  /// Tiles across the box in each coordinate, at least 1: n_j.
  std::vector<std::size_t> tiles;
  std::size_t tilings = 8;  ///< T ≥ 1
};

/// Tile coding: T grids over a box of k coordinates, each shifted by another part of a tile. A
/// point is in one tile of each grid, and these T features are 1/T; all others are 0. Points
/// outside the box count as the nearest point in it.
///
/// With widths w_j = (high_j - low_j) / n_j, the tile of x in grid t = 0, 1, ..., T-1 is
///
///   ⌊(x_j - low_j) / w_j + f_tj⌋   in coordinate j = 0, 1, ...,   f_tj = frac(t (2 j + 1) / T):
///
/// shifts by odd multiples keep the grids from lining up along a diagonal (Miller, Glanz and Kraft,
/// Proc. IEEE 78, 1990; Sutton and Barto, 2nd ed., section 9.5.4). A shifted grid needs n_j + 1
/// tiles across. So d = Σ_t Π_j (n_j + 1 if f_tj > 0, else n_j), grid after grid, in each of them
/// the last coordinate fastest. One grid alone is hard aggregation.
///
/// Check: low 0, high 4, n = 2, T = 2 have d = 2 + 3. At x = 1.5 these are (1/2, 0, 0, 1/2, 0):
/// 0.75 in the first grid, 1.25 in the second.
class TileCoding : public PointFeatures<TileCoding> {
 public:
  /// Throws InvalidInput for an empty box, lengths that differ, no tiles or tilings, and more than
  /// 2³¹ features.
  explicit TileCoding(TileCodingOptions options);

  std::size_t coordinates() const { return options_.low.size(); }
  std::size_t dimension() const { return begin_.back(); }
  std::size_t max_active() const { return options_.tilings; }
  const TileCodingOptions& options() const { return options_; }

 private:
  friend PointFeatures<TileCoding>;
  void write_at(std::span<const double> x, std::span<double> out) const;
  void write_active_at(std::span<const double> x, ActiveFeatures& out) const;
  template <class Use>
  void for_each_active(std::span<const double> x, const Use& use) const;

  TileCodingOptions options_;
  std::vector<double> shift_;       // f_tj, grid after grid
  std::vector<std::size_t> tiles_;  // across each coordinate of each grid
  std::vector<std::size_t> begin_;  // the first feature of each grid, and d
};

}  // namespace shortfall::features
