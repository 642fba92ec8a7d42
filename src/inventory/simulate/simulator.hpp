#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <vector>

#include "inventory/simulate/stock_dynamics.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"

namespace shortfall::inventory::detail {

/// Counts that costs depend on.
struct CostCounts {
  std::uint64_t orders = 0;
  std::uint64_t arrived = 0;
  std::uint64_t left = 0;
  std::uint64_t lost = 0;
  std::uint64_t expired = 0;

  void add(const CostCounts& other) {
    orders += other.orders;
    arrived += other.arrived;
    left += other.left;
    lost += other.lost;
    expired += other.expired;
  }
};

/// Counts of units and periods. They are integers, so that their sums do not depend on the order in
/// which threads add them.
struct Totals {
  std::array<CostCounts, 7> by_day{};
  std::uint64_t demand = 0;
  std::uint64_t periods_short = 0;
  std::uint64_t stock = 0;
  std::array<std::uint64_t, longest_shelf_life + 3> stock_up_to{};  // with ≤ i + 1 periods left

  void add(const Totals& other) {
    for (std::size_t day = 0; day < by_day.size(); ++day) by_day[day].add(other.by_day[day]);
    demand += other.demand;
    periods_short += other.periods_short;
    stock += other.stock;
    for (std::size_t i = 0; i < stock_up_to.size(); ++i) stock_up_to[i] += other.stock_up_to[i];
  }
};

/// The cost of one replication.
struct ReplicationCost {
  double discounted = 0.0;
  double total = 0.0;  ///< undiscounted
  double last = 0.0;   ///< of the last periods
};

/// Replications of a policy.
template <std::size_t Ages>
class Simulator {
 public:
  Simulator(const Model& model, const Policy& orders, const SimulationOptions& options)
      : dynamics_(model),
        options_(options),
        days_(model.days()),
        stocks_(model.stocks().size()),
        order_(orders.begin(), orders.end()) {}

  /// The cost of one replication; adds its counts to `totals`.
  ReplicationCost replicate(std::size_t replication, Totals& totals) const {
    pcg64 bits = stream_generator(options_.seed, replication);
    Amounts stock{};
    ReplicationCost cost;
    const std::size_t last_begin = options_.periods - options_.last;
    double discount = 1.0;
    std::size_t day = 0;
    for (std::size_t t = 0; t < options_.periods; ++t) {
      const std::int32_t z = order_[day * stocks_ + dynamics_.rank(stock)];
      const auto now = dynamics_.period(day, z, bits, stock);
      add(now, z, totals.by_day[day], totals);
      cost.discounted += discount * now.cost;
      cost.total += now.cost;
      if (t >= last_begin) cost.last += now.cost;
      discount *= options_.gamma;
      if (discount < smallest_discount) discount = 0.0;
      if (++day == days_) day = 0;
    }
    return cost;
  }

 private:
  using Dynamics = StockDynamics<Ages>;
  using Amounts = typename Dynamics::Amounts;

  // Costs discounted further than this do not change any sum, but are slow to compute, particularly
  // once numbers are denormal.
  static constexpr double smallest_discount = 1e-280;

  static void add(const typename Dynamics::Period& now, std::int32_t z, CostCounts& of_day,
                  Totals& totals) {
    const auto count = [](std::int32_t units) { return static_cast<std::uint32_t>(units); };
    for (std::size_t i = 0; i < Ages; ++i) totals.stock_up_to[i] += count(now.delivered[i]);
    of_day.orders += z > 0 ? 1 : 0;
    of_day.arrived += count(z);
    of_day.left += count(now.left);
    of_day.lost += count(now.lost);
    of_day.expired += count(now.expired);
    totals.demand += count(now.demand);
    totals.periods_short += now.lost > 0 ? 1 : 0;
    totals.stock += count(now.total);
  }

  Dynamics dynamics_;
  const SimulationOptions& options_;
  std::size_t days_;
  std::size_t stocks_;
  std::vector<std::uint8_t> order_;  // by state
};

}  // namespace shortfall::inventory::detail
