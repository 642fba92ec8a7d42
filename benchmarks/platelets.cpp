#include "platelets.hpp"

#include <vector>

#include "shortfall/inventory/demand.hpp"

namespace shortfall::benchmarks {

using namespace inventory;

Model platelets(std::size_t shelf_life, std::size_t capacity, std::size_t days, const Costs& cost) {
  const Arrival arrival =
      shelf_life == 3   ? Arrival::logit(3, {1.0, 0.5}, {-0.2, -0.1})
      : shelf_life == 5 ? Arrival::logit(5, {1.9, 3.1, 3.1, 2.5}, {-0.03, -0.06, -0.03, -0.09})
                        : Arrival::logit(8, {0.8, 1.4, 1.9, 2.3, 1.7, 1.2, 0.8},
                                         {-0.03, -0.04, -0.05, -0.06, -0.07, -0.08, -0.09});
  std::vector<std::vector<double>> demand;
  for (std::size_t day = 0; day < days; ++day) {
    const double mean = 6.165049 * (days == 1 ? 1.0 : day < 5 ? 1.15 : 0.625);
    demand.push_back(negative_binomial_demand(11.064622, mean, 20));
  }
  return Model({.capacity = capacity,
                .max_order = capacity,
                .arrival = arrival,
                .demand = demand,
                .cost = cost});
}

}  // namespace shortfall::benchmarks
