#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "shortfall/features/feature_map.hpp"
#include "shortfall/features/sparse_features.hpp"

namespace shortfall::features {

/// Maps of points have at most this many coordinates.
inline constexpr std::size_t max_coordinates = 16;

namespace detail {
[[noreturn]] void throw_coordinates(std::size_t found, std::size_t accepted);
/// Throws InvalidInput that counts coordinates from 1, unless all are finite.
void check_point(std::span<const double> x);
/// Throws InvalidInput unless low < high are finite, for 1 to max_coordinates coordinates.
void check_box(std::span<const double> low, std::span<const double> high);
/// The product of counts, all at least 1. Throws InvalidInput if it exceeds `most_features`.
inline constexpr std::size_t most_features = std::size_t{1} << 31;
std::size_t checked_product(std::span<const std::size_t> counts, const char* what);
}  // namespace detail

/// The common part of the maps of points: `Map` derives from this and has
///
///   coordinates()                     k, the length of a point
///   write_at(x, out)                  as write and write_active, for k finite numbers x
///   write_active_at(x, out)
///
/// Both throw InvalidInput for a point of another length, and for a coordinate that is not finite.
template <class Map>
class PointFeatures {
 public:
  template <Point P>
  void write(const P& x, std::span<double> out) const {
    std::array<double, max_coordinates> memory;  // NOLINT(*-member-init): written next
    self().write_at(copy(x, memory), out);
  }
  template <Point P>
  void write_active(const P& x, ActiveFeatures& out) const {
    std::array<double, max_coordinates> memory;  // NOLINT(*-member-init): written next
    self().write_active_at(copy(x, memory), out);
  }

 private:
  const Map& self() const { return static_cast<const Map&>(*this); }

  template <Point P>
  std::span<const double> copy(const P& x, std::array<double, max_coordinates>& memory) const {
    const std::size_t k = self().coordinates();
    if (x.size() != k) detail::throw_coordinates(x.size(), k);
    for (std::size_t j = 0; j < k; ++j) memory[j] = static_cast<double>(x[j]);
    const std::span<const double> point(memory.data(), k);
    detail::check_point(point);
    return point;
  }
};

}  // namespace shortfall::features
