#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

inline constexpr std::size_t most_periods = 1'000'000'000;
inline constexpr std::size_t most_replications = 100'000'000;  ///< a number is kept of each

struct SimulationOptions {
  std::size_t periods = 100;  ///< of each replication; the discounted cost is cut there
  std::size_t replications = 10000;
  double gamma = 0.6;  ///< discount of the cost, in (0, 1]
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores. Results do not depend on it
  /// Replications done, now and then and at the end: from any thread, one call at a time.
  std::function<void(std::size_t done)> on_progress = {};
};

/// What happened under a policy, from the empty stock on day 0. Rates are means over all periods of
/// all replications.
struct SimulationResult {
  std::vector<double> discounted_cost;  ///< Σ γᵗ c_t of each replication, in their order
  double mean = 0.0;                    ///< of the discounted cost
  double standard_error = 0.0;          ///< of that mean; infinite for one replication

  double cost_per_period = 0.0;
  double order_cost_per_period = 0.0;  ///< the four parts of it
  double holding_cost_per_period = 0.0;
  double shortage_cost_per_period = 0.0;
  double wastage_cost_per_period = 0.0;

  double service_level = 0.0;        ///< demand met / demand, over all units (1 without demand)
  double periods_short = 0.0;        ///< fraction of periods with demand lost
  double shortage_rate = 0.0;        ///< units of demand lost, a period
  double wastage_rate = 0.0;         ///< units expired, a period
  double wasted_fraction = 0.0;      ///< units expired / units that arrived (0 where none arrived)
  double order_frequency = 0.0;      ///< fraction of periods with an order
  double mean_order = 0.0;           ///< units of an order, where one is placed
  double mean_stock = 0.0;           ///< units after delivery
  std::vector<double> stock_by_age;  ///< mean units after delivery with 1, .., m periods left

  /// The q-quantile of the discounted cost, the ⌈q R⌉-th smallest; q in [0, 1].
  double quantile(double q) const;
};

/// Simulates a policy. Replication r draws from its own stream of (seed, r), two numbers a period
/// whatever is ordered: D by inversion of the first, and the second is the seed from which the u-th
/// unit of an order has the u-th number for its shelf life, by inversion again (of 31 bits: within
/// 2⁻³² of its law). So two policies under the same seed meet the same luck, and the difference of
/// their costs has less noise than if each had its own. Counts are whole and costs are summed
/// replication by replication: the same bytes for any number of threads. Throws InvalidInput for
/// orders that do not fit the model, periods, replications or γ out of range, and for more
/// replications than there is memory for.
SimulationResult simulate(const Model& model, const Policy& orders,
                          const SimulationOptions& options = {});

}  // namespace shortfall::inventory
