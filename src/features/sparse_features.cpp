#include "shortfall/features/sparse_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/aggregation.hpp"
#include "shortfall/features/hats.hpp"
#include "shortfall/features/tile_coding.hpp"

namespace shortfall::features {

bool is_averager(std::span<const double> values) {
  double sum = 0.0;
  double lowest = 0.0;
  for (const double value : values) {
    lowest = value < lowest ? value : lowest;
    sum += value;  // NaN stays
  }
  if (lowest < 0.0) return false;
  if (sum <= 1.0 + averager_slack(0)) return true;
  std::size_t active = 0;
  for (const double value : values) active += value != 0.0 ? 1 : 0;
  return sum <= 1.0 + averager_slack(active);
}

/// Averagers call this twice per update: one loop, without branches.
bool is_averager(const SparseFeatures& phi, std::size_t dimension) {
  if (phi.index.size() != phi.value.size()) return false;
  double sum = 0.0;
  double lowest = 0.0;
  std::size_t least = 0;
  bool ascends = true;
  for (std::size_t k = 0; k < phi.index.size(); ++k) {
    const std::size_t i = phi.index[k];
    ascends = ascends && i >= least && i < dimension;
    least = i + 1;
    lowest = phi.value[k] < lowest ? phi.value[k] : lowest;
    sum += phi.value[k];
  }
  if (!ascends || lowest < 0.0) return false;
  return sum <= 1.0 + averager_slack(0) || is_averager(phi.value);
}

void check_sparse(const SparseFeatures& phi, std::size_t dimension, std::string_view what) {
  require(phi.index.size() == phi.value.size(),
          "{} indices with {} values; accepted: one value for each index", phi.index.size(),
          phi.value.size());
  for (std::size_t k = 0; k < phi.size(); ++k) {
    require(phi.index[k] < dimension, "the index {} of a {}; accepted: 0 to {}", phi.index[k], what,
            dimension - 1);
    require(k == 0 || phi.index[k] > phi.index[k - 1],
            "the index {} of a {} after {}; accepted: increasing indices", phi.index[k], what,
            k == 0 ? 0 : phi.index[k - 1]);
  }
}

void check_averager(const SparseFeatures& phi, std::string_view what) {
  if (is_averager(phi.value)) return;
  double sum = 0.0;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < phi.size(); ++k) {
    const double value = phi.value[k];
    require(std::isfinite(value), "{} {} is {}; accepted: a finite number", what, phi.index[k] + 1,
            value);
    require(value >= 0.0, "{} {} is {}; accepted by averagers: {}", what, phi.index[k] + 1, value,
            accepted_by_averagers);
    sum += value;
    if (value > phi.value[largest]) largest = k;
  }
  throw InvalidInput(
      fmt::format("{}s sum to {}, the largest is {} {}: {}; accepted by averagers: {}", what, sum,
                  what, phi.index[largest] + 1, phi.value[largest], accepted_by_averagers));
}

Aggregation::Aggregation(std::vector<std::uint32_t> cells)
    : cells_(std::move(cells)), dimension_(0) {
  require(!cells_.empty(), "an aggregation of 0 states; accepted: at least one");
  const std::size_t largest = *std::ranges::max_element(cells_);
  // Before memory is allocated for them: with a state in each there are no more cells than states.
  std::vector<bool> has_state(std::min(largest + 1, cells_.size() + 1));
  for (const std::size_t i : cells_) {
    if (i < has_state.size()) has_state[i] = true;
  }
  const auto missing = std::ranges::find(has_state, false);
  require(
      missing == has_state.end(),
      "no state in cell {} of {}; accepted: cells numbered from 0, each with at least one state",
      missing - has_state.begin(), largest + 1);
  dimension_ = largest + 1;
}

void Aggregation::throw_no_state(StateIndex x) const {
  throw InvalidInput(
      fmt::format("there is no state {}; accepted: a number below {}", x, cells_.size()));
}

namespace {

std::size_t count_nodes(const std::vector<std::vector<double>>& knots) {
  require(!knots.empty() && knots.size() <= max_coordinates,
          "knots of {} coordinates; accepted: 1 to {}", knots.size(), max_coordinates);
  std::vector<std::size_t> counts;
  for (std::size_t j = 0; j < knots.size(); ++j) {
    const std::vector<double>& of = knots[j];
    for (std::size_t i = 0; i < of.size(); ++i) {
      require(std::isfinite(of[i]) && (i == 0 || of[i] > of[i - 1]),
              "knot {} of coordinate {} is {}; accepted: increasing finite numbers", i + 1, j + 1,
              of[i]);
    }
    require(of.empty() || std::isfinite(of.back() - of.front()),
            "knots of coordinate {} from {} to {}; accepted: a finite distance", j + 1,
            of.empty() ? 0.0 : of.front(), of.empty() ? 0.0 : of.back());
    counts.push_back(of.size());
  }
  return detail::checked_product(counts, "knots");
}

}  // namespace

Hats::Hats(std::vector<std::vector<double>> knots)
    : knots_(std::move(knots)), dimension_(count_nodes(knots_)), max_active_(1) {
  for (const auto& of : knots_) max_active_ *= of.size() > 1 ? 2U : 1U;
}

Hats Hats::uniform(std::span<const double> low, std::span<const double> high,
                   std::span<const std::size_t> nodes) {
  detail::check_box(low, high);
  require(nodes.size() == low.size(), "numbers of nodes for {} coordinates; accepted: {}",
          nodes.size(), low.size());
  (void)detail::checked_product(nodes, "nodes");
  std::vector<std::vector<double>> knots(low.size());
  for (std::size_t j = 0; j < low.size(); ++j) {
    require(nodes[j] >= 2, "1 node in coordinate {}; accepted: at least 2", j + 1);
    const auto intervals = static_cast<double>(nodes[j] - 1);
    for (std::size_t i = 0; i < nodes[j]; ++i) {
      const double share = static_cast<double>(i) / intervals;
      knots[j].push_back(low[j] * (1.0 - share) + high[j] * share);
    }
  }
  return Hats(std::move(knots));
}

template <class Use>
void Hats::for_each_active(std::span<const double> x, const Use& use) const {
  struct Interval {
    std::size_t lower;  // its knot
    double share;       // of the next knot
  };
  const std::size_t k = x.size();
  std::array<Interval, max_coordinates> around;  // NOLINT(*-member-init): written next
  for (std::size_t j = 0; j < k; ++j) {
    const std::vector<double>& of = knots_[j];
    const double at = std::clamp(x[j], of.front(), of.back());
    const auto upper = std::upper_bound(of.begin() + 1, of.end() - (of.size() > 1 ? 1 : 0), at);
    const auto i = static_cast<std::size_t>(upper - of.begin()) - 1;
    around[j] = {i, of.size() > 1 ? (at - of[i]) / (of[i + 1] - of[i]) : 0.0};
  }
  // The first coordinate is the highest bit, so that indices ascend.
  for (std::size_t corner = 0; corner < (std::size_t{1} << k); ++corner) {
    std::size_t node = 0;
    double value = 1.0;
    for (std::size_t j = 0; j < k && value > 0.0; ++j) {
      const bool is_upper = ((corner >> (k - 1 - j)) & 1) != 0;
      node = node * knots_[j].size() + around[j].lower + (is_upper ? 1 : 0);
      value *= is_upper ? around[j].share : 1.0 - around[j].share;
    }
    if (value > 0.0) use(node, value);
  }
}

void Hats::write_at(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_active(x, [&](std::size_t i, double value) { out[i] = value; });
}

void Hats::write_active_at(std::span<const double> x, ActiveFeatures& out) const {
  out.clear();
  for_each_active(x, [&](std::size_t i, double value) { out.add(i, value); });
}

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
