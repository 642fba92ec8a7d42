#include "shortfall/features/tile_coding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"

namespace shortfall::features {

TileCoding::TileCoding(TileCodingOptions options) : options_(std::move(options)) {
  detail::check_box(options_.low, options_.high);
  const std::size_t k = coordinates();
  const std::size_t grids = options_.tilings;
  require(options_.tiles.size() == k, "numbers of tiles for {} coordinates; accepted: {}",
          options_.tiles.size(), k);
  require(grids >= 1 && grids <= detail::most_features, "{} tilings; accepted: 1 to {}", grids,
          detail::most_features);
  // The tiles of one grid, before memory is allocated for all of them.
  const std::size_t least = detail::checked_product(options_.tiles, "tiles");
  require(least <= detail::most_features / grids,
          "{} tilings of {} tiles; accepted: up to {} tiles", grids, least, detail::most_features);
  begin_.push_back(0);
  for (std::size_t t = 0; t < grids; ++t) {
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t part = t * (2 * j + 1) % grids;
      shift_.push_back(static_cast<double>(part) / static_cast<double>(grids));
      tiles_.push_back(options_.tiles[j] + (part > 0 ? 1 : 0));
    }
    const std::size_t size = detail::checked_product(std::span(tiles_).subspan(t * k, k), "tiles");
    require(size <= detail::most_features - begin_.back(),
            "more than {} features; accepted: fewer tiles", detail::most_features);
    begin_.push_back(begin_.back() + size);
  }
}

template <class Use>
void TileCoding::for_each_active(std::span<const double> x, const Use& use) const {
  const std::size_t k = x.size();
  std::array<double, max_coordinates> place;  // NOLINT(*-member-init): in tiles; written next
  for (std::size_t j = 0; j < k; ++j) {
    const double low = options_.low[j];
    const double share = (std::clamp(x[j], low, options_.high[j]) - low) / (options_.high[j] - low);
    place[j] = share * static_cast<double>(options_.tiles[j]);
  }
  const double value = 1.0 / static_cast<double>(options_.tilings);
  for (std::size_t t = 0; t < options_.tilings; ++t) {
    std::size_t tile = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t across = tiles_[t * k + j];
      const auto at = static_cast<std::size_t>(place[j] + shift_[t * k + j]);
      tile = tile * across + std::min(at, across - 1);  // the upper end belongs to the last tile
    }
    use(begin_[t] + tile, value);
  }
}

void TileCoding::write_at(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_active(x, [&](std::size_t i, double value) { out[i] = value; });
}

void TileCoding::write_active_at(std::span<const double> x, ActiveFeatures& out) const {
  out.clear();
  for_each_active(x, [&](std::size_t i, double value) { out.add(i, value); });
}

}  // namespace shortfall::features
