#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "inventory/simulate/random_draws.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory::detail {

/// Four ages at a time: otherwise the compiler vectorises over four units, and few orders are long
/// enough for that.
using Lanes [[gnu::vector_size(16)]] = std::int32_t;

/// Stock is stored as cumulative sums, which turn a period into a few operations on all ages at
/// once: with W_i = w_1 + .. + w_i, first-expire-first-out leaves (W_i - D)⁺, of which (W_1 - D)⁺
/// expire. Ages beyond m are padding: nothing has more than m periods left, so W_i = |w| there.
template <std::size_t Ages>
class StockDynamics {
 public:
  using Amounts = std::array<std::int32_t, Ages>;

  explicit StockDynamics(const Model& model)
      : width_(model.capacity() + 2), term_(Ages * width_, 0) {
    for (std::size_t day = 0; day < model.days(); ++day) {
      cost_.push_back(model.cost(day));
      demand_.emplace_back(model.demand(day));
      std::size_t same = 0;
      while (model.arrival(same) != model.arrival(day)) ++same;
      first_threshold_.push_back(same < day ? first_threshold_[same] : threshold_.size());
      if (same == day) add_thresholds(model.arrival(day), model.max_order());
    }
    for (std::size_t i = 1; i < model.shelf_life(); ++i) {
      std::copy_n(model.stocks().terms(i), width_, &term_[(i - 1) * width_]);
    }
  }

  /// The rank of a stock among those of its day.
  std::size_t rank(const Amounts& stock) const {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < Ages; ++i) {
      rank += term_[i * width_ + static_cast<std::size_t>(stock[i])];
    }
    return rank;
  }

  /// How many of z units delivered on this day have at most 1, 2, .. periods left.
  Amounts deliver(std::size_t day, std::int32_t z, std::uint64_t key) const {
    const std::array<Lanes, Ages / 4> threshold =
        threshold_[first_threshold_[day] + static_cast<std::size_t>(z)];
    std::array<Lanes, Ages / 4> arrived;
    arrived.fill(Lanes{z, z, z, z});
    for (std::int32_t unit = 0; unit < z; unit += 2) {
      auto [first, second] = unit_draws(key, static_cast<std::uint64_t>(unit / 2));
      if (unit + 1 == z) second = -1;  // above no threshold
      for (std::size_t k = 0; k < arrived.size(); ++k) {
        arrived[k] += (threshold[k] < first) + (threshold[k] < second);  // true is -1
      }
    }
    return std::bit_cast<Amounts>(arrived);
  }

  /// The events of a period.
  struct Period {
    Amounts delivered;   ///< w
    std::int32_t total;  ///< |w|
    std::int32_t demand;
    std::int32_t left;
    std::int32_t lost;
    std::int32_t expired;
    double cost;
  };

  /// One period from `stock` to the next under an order of z. Two draws for any z.
  template <RandomBits G>
  Period period(std::size_t day, std::int32_t z, G& bits, Amounts& stock) const {
    Period now;
    now.demand = demand_[day].at(bits());
    const std::uint64_t key = bits();
    now.total = stock[Ages - 1] + z;
    now.delivered = deliver(day, z, key);
    for (std::size_t i = 0; i < Ages; ++i) now.delivered[i] += stock[i];
    now.left = std::max(now.total - now.demand, 0);
    now.lost = std::max(now.demand - now.total, 0);
    now.expired = std::max(now.delivered[0] - now.demand, 0);
    for (std::size_t i = 0; i + 1 < Ages; ++i) {
      stock[i] = std::max(now.delivered[i + 1] - now.demand, 0) - now.expired;
    }
    stock[Ages - 1] = now.left - now.expired;
    const Costs& cost = cost_[day];
    now.cost = (z > 0 ? cost.order : 0.0) + cost.unit * z + cost.holding * now.left +
               cost.shortage * now.lost + cost.wastage * now.expired;
    return now;
  }

 private:
  void add_thresholds(const Arrival& arrival, std::size_t max_order) {
    for (std::size_t z = 0; z <= max_order; ++z) {
      Amounts row;
      row.fill(threshold(1.0));
      const std::vector<double> p = arrival.probabilities(z);
      double sum = 0.0;
      for (std::size_t i = 0; i + 1 < p.size(); ++i) row[i] = threshold(sum += p[i]);
      threshold_.push_back(std::bit_cast<std::array<Lanes, Ages / 4>>(row));
    }
  }

  std::vector<Costs> cost_;  // by day
  std::size_t width_;
  std::vector<std::uint32_t> term_;                     // StockIndex::terms, 0 for padding
  std::vector<DemandSampler> demand_;                   // by day
  std::vector<std::size_t> first_threshold_;            // by day: days may share a law
  std::vector<std::array<Lanes, Ages / 4>> threshold_;  // by law, order and age
};

/// Calls work.operator()<Ages>() with enough ages for a shelf life: a stock has one age fewer.
template <class Work>
auto with_ages(std::size_t shelf_life, const Work& work) {
  if (shelf_life <= 5) return work.template operator()<4>();
  if (shelf_life <= 9) return work.template operator()<8>();
  return work.template operator()<12>();
}

}  // namespace shortfall::inventory::detail
