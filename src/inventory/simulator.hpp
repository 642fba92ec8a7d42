#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <vector>

#include "inventory/luck.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::inventory::detail {

/// Counts of units and periods. They are whole, so that their sums do not depend on the order in
/// which threads come to them.
struct Totals {
  std::uint64_t demand = 0;
  std::uint64_t lost = 0;
  std::uint64_t periods_short = 0;
  std::uint64_t left = 0;
  std::uint64_t expired = 0;
  std::uint64_t arrived = 0;
  std::uint64_t orders = 0;
  std::uint64_t stock = 0;
  std::array<std::uint64_t, longest_shelf_life + 3> stock_up_to{};  // with ≤ i + 1 periods left

  void add(const Totals& other) {
    demand += other.demand;
    lost += other.lost;
    periods_short += other.periods_short;
    left += other.left;
    expired += other.expired;
    arrived += other.arrived;
    orders += other.orders;
    stock += other.stock;
    for (std::size_t i = 0; i < stock_up_to.size(); ++i) stock_up_to[i] += other.stock_up_to[i];
  }
};

/// Four ages at a time: left to itself, the compiler takes four units at a time, and few orders are
/// long enough for that.
using Lanes [[gnu::vector_size(16)]] = std::int32_t;

/// Stock is kept as cumulative sums, which turn a period into few operations on all ages at once:
/// with W_i = w_1 + .. + w_i, what first-expire-first-out leaves is (W_i - D)⁺, of which (W_1 - D)⁺
/// expire. Ages beyond m are padding: nothing has more than m periods left, so W_i = |w| there.
template <std::size_t Ages>
class Simulator {
 public:
  using Amounts = std::array<std::int32_t, Ages>;

  Simulator(const Model& model, const Policy& orders, const SimulationOptions& options)
      : model_(model),
        options_(options),
        stocks_(model.stocks().size()),
        width_(model.capacity() + 2),
        term_(Ages * width_, 0) {
    for (std::size_t day = 0; day < model.days(); ++day) demand_.emplace_back(model.demand(day));
    for (std::size_t z = 0; z <= model.largest_order(0); ++z) {
      Amounts row;
      row.fill(threshold(1.0));
      const std::vector<double> p = model.arrival().probabilities(z);
      double sum = 0.0;
      for (std::size_t i = 0; i + 1 < p.size(); ++i) row[i] = threshold(sum += p[i]);
      threshold_.push_back(std::bit_cast<std::array<Lanes, Ages / 4>>(row));
    }
    for (std::size_t i = 1; i < model.shelf_life(); ++i) {
      std::copy_n(model.stocks().terms(i), width_, &term_[(i - 1) * width_]);
    }
    order_.assign(orders.begin(), orders.end());
  }

  /// The discounted cost of one replication; adds what happened to `totals`.
  double replicate(std::size_t replication, Totals& totals) const {
    pcg64 bits = replication_bits(options_.seed, replication);
    Amounts stock{};
    double cost = 0.0;
    double discount = 1.0;
    std::size_t day = 0;
    for (std::size_t t = 0; t < options_.periods; ++t) {
      cost += discount * period(day, bits, stock, totals);
      discount *= options_.gamma;
      if (discount < smallest_discount) discount = 0.0;
      if (++day == model_.days()) day = 0;
    }
    return cost;
  }

 private:
  // What is discounted further adds nothing to any cost but takes processors long, at their slowest
  // where numbers are denormal.
  static constexpr double smallest_discount = 1e-280;

  std::size_t rank(const Amounts& stock) const {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < Ages; ++i) {
      rank += term_[i * width_ + static_cast<std::size_t>(stock[i])];
    }
    return rank;
  }

  /// Of z units, how many have at most 1, 2, .. periods left.
  Amounts deliver(std::int32_t z, std::uint64_t key) const {
    const std::array<Lanes, Ages / 4> threshold = threshold_[static_cast<std::size_t>(z)];
    std::array<Lanes, Ages / 4> arrived;
    arrived.fill(Lanes{z, z, z, z});
    for (std::int32_t unit = 0; unit < z; unit += 2) {
      auto [first, second] = unit_numbers(key, static_cast<std::uint64_t>(unit / 2));
      if (unit + 1 == z) second = -1;  // above no threshold
      for (std::size_t k = 0; k < arrived.size(); ++k) {
        arrived[k] += (threshold[k] < first) + (threshold[k] < second);  // true is -1
      }
    }
    return std::bit_cast<Amounts>(arrived);
  }

  /// One period from `stock` to the next; its cost.
  double period(std::size_t day, pcg64& bits, Amounts& stock, Totals& totals) const {
    const std::int32_t demand = demand_[day].at(bits());
    const std::uint64_t key = bits();
    const std::int32_t z = order_[day * stocks_ + rank(stock)];
    const std::int32_t total = stock[Ages - 1] + z;
    Amounts w = deliver(z, key);
    for (std::size_t i = 0; i < Ages; ++i) {
      w[i] += stock[i];
      totals.stock_up_to[i] += static_cast<std::uint32_t>(w[i]);
    }
    const std::int32_t left = std::max(total - demand, 0);
    const std::int32_t lost = std::max(demand - total, 0);
    const std::int32_t expired = std::max(w[0] - demand, 0);
    for (std::size_t i = 0; i + 1 < Ages; ++i) stock[i] = std::max(w[i + 1] - demand, 0) - expired;
    stock[Ages - 1] = left - expired;

    const auto count = [](std::int32_t units) { return static_cast<std::uint32_t>(units); };
    totals.demand += count(demand);
    totals.lost += count(lost);
    totals.periods_short += lost > 0 ? 1 : 0;
    totals.left += count(left);
    totals.expired += count(expired);
    totals.arrived += count(z);
    totals.orders += z > 0 ? 1 : 0;
    totals.stock += count(total);
    const Costs& cost = model_.cost();
    return (z > 0 ? cost.order : 0.0) + cost.holding * left + cost.shortage * lost +
           cost.wastage * expired;
  }

  const Model& model_;
  const SimulationOptions& options_;
  std::size_t stocks_;
  std::size_t width_;
  std::vector<std::uint32_t> term_;                     // StockIndex::terms, 0 for padding
  std::vector<DemandSampler> demand_;                   // by day
  std::vector<std::array<Lanes, Ages / 4>> threshold_;  // by order and age
  std::vector<std::uint8_t> order_;                     // by state
};

}  // namespace shortfall::inventory::detail
