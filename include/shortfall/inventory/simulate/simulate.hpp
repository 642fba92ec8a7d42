#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/inventory/model/model.hpp"
#include "shortfall/parallel/execution.hpp"

namespace shortfall::inventory {

inline constexpr std::size_t max_periods = 1'000'000'000;
inline constexpr std::size_t max_replications = 100'000'000;  ///< one number is kept for each

struct SimulationOptions {
  std::size_t periods = 100;  ///< per replication; the discounted cost is truncated there
  std::size_t replications = 10000;
  double gamma = 0.6;  ///< discount of the cost, in (0, 1]
  /// If above 0, the undiscounted cost of each replication is also kept: over all periods, and
  /// over the last `last` periods. At most `periods`.
  std::size_t last = 0;
  std::uint64_t seed = 1;
};

/// Simulation results for a policy that starts with empty stock on day 0. Rates are means over all
/// periods of all replications. A simulation that was stopped has only the replications that were
/// finished by then; with none of them, the mean is NaN.
struct SimulationResult {
  std::vector<double> discounted_cost;  ///< Σ γᵗ c_t of each replication, in their order
  std::vector<double> total_cost;       ///< Σ c_t of each, if `last` is above 0
  std::vector<double> last_cost;        ///< the same over the last `last` periods
  double mean = 0.0;                    ///< mean discounted cost
  double standard_error = infinity;     ///< of that mean; infinite for one replication

  double cost_per_period = 0.0;
  double order_cost_per_period = 0.0;  ///< its five components
  double unit_cost_per_period = 0.0;
  double holding_cost_per_period = 0.0;
  double shortage_cost_per_period = 0.0;
  double wastage_cost_per_period = 0.0;

  double service_level = 0.0;        ///< demand met / demand, over all units (1 without demand)
  double periods_short = 0.0;        ///< fraction of periods with demand lost
  double shortage_rate = 0.0;        ///< units of lost demand per period
  double wastage_rate = 0.0;         ///< expired units per period
  double wasted_fraction = 0.0;      ///< expired units / units that arrived (0 if none arrived)
  double order_frequency = 0.0;      ///< fraction of periods with an order
  double mean_order = 0.0;           ///< units per order placed
  double mean_stock = 0.0;           ///< units after delivery
  std::vector<double> stock_by_age;  ///< mean units after delivery with 1, .., m periods left

  /// The q-quantile of the discounted cost, the ⌈q R⌉-th smallest; q in [0, 1].
  double quantile(double q) const;
};

/// The q-quantile of some numbers, the ⌈q R⌉-th smallest of R; q in [0, 1].
double quantile_of(std::vector<double> numbers, double q);

/// Simulates a policy. Replication r has its own random stream, derived from (seed, r), and takes
/// two numbers per period regardless of the order: the first gives D by inversion, and the second
/// seeds a sequence whose u-th number gives the shelf life of the u-th unit of an order, again by
/// inversion (of 31 bits: within 2⁻³² of its law). Two policies under the same seed therefore face
/// identical demand and shelf lives (common random numbers), and the difference of their costs has
/// less variance than with independent draws. Counts are integers and costs are summed replication
/// by replication, so the result is bitwise identical for any number of threads. The monitor is
/// called with the number of finished replications. Throws InvalidInput for orders that do not
/// match the model, periods, replications or γ out of range, and for more replications than fit in
/// memory.
SimulationResult simulate(const Model& model, const Policy& orders,
                          const SimulationOptions& options = {}, const Execution& execution = {});

}  // namespace shortfall::inventory
