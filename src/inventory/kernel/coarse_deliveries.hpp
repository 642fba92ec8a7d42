#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inventory/kernel/nested_binomials.hpp"
#include "shortfall/inventory/model/stock_index.hpp"

namespace shortfall::inventory {

/// Deliveries Y of z units replaced by n of them, each of weight 1/n:
///
///   E f(x + Y) ≈ 1/n Σ_k f(x + y_k).
///
/// The points are those of a quasi-random sequence u_k in the unit cube of dimension m - 1, carried
/// over to deliveries by the inverse distribution functions of the nested binomials: Y_m from
/// u_k1, Y_{m-1} given the rest from u_k2, and so on. Values vary so smoothly with a delivery that
/// 64 points give expectiles of about 50 to within 1, where an order of 14 units at shelf life 8
/// has 116 280 deliveries. Orders with few deliveries are not replaced.
///
/// An operator with these deliveries is monotone and translation invariant like the exact one. It
/// proposes values and orders; it certifies nothing.
class CoarseDeliveries {
 public:
  /// A delivery as its cumulative sums Y_1, Y_1 + Y_2, .., up to age m - 1.
  using Point = std::array<std::uint8_t, longest_shelf_life>;

  static constexpr std::size_t points_per_order = 64;

  /// An order is replaced if it has more deliveries than this many times the points.
  static constexpr std::size_t least_saving = 4;

  CoarseDeliveries() = default;  ///< replaces none
  CoarseDeliveries(const NestedBinomials& arrivals, std::size_t shelf_life);

  bool replaces_any() const { return !points_.empty(); }
  bool replaces(std::size_t z) const { return replaces_any() && begin_[z] < begin_[z + 1]; }

  /// The points of an order that is replaced.
  std::span<const Point> points(std::size_t z) const {
    return std::span(points_).subspan(begin_[z], begin_[z + 1] - begin_[z]);
  }

 private:
  std::vector<std::size_t> begin_;  // by order
  std::vector<Point> points_;
};

}  // namespace shortfall::inventory
