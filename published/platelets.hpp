#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::studies {

/// The discount factor of all published results.
inline constexpr double platelets_gamma = 0.6;

/// Costs in the order of the publication.
constexpr inventory::Costs published_cost(double order, double holding, double shortage,
                                          double wastage) {
  return {.order = order, .holding = holding, .shortage = shortage, .wastage = wastage};
}

/// The published shelf lives on arrival, for m = 3, 5 and 8. Throws InvalidInput for others.
inline inventory::Arrival platelets_arrival(std::size_t shelf_life) {
  using inventory::Arrival;
  switch (shelf_life) {
    case 3:
      return Arrival::logit(3, {1.0, 0.5}, {-0.2, -0.1});
    case 5:
      return Arrival::logit(5, {1.9, 3.1, 3.1, 2.5}, {-0.03, -0.06, -0.03, -0.09});
    case 8:
      return Arrival::logit(8, {0.8, 1.4, 1.9, 2.3, 1.7, 1.2, 0.8},
                            {-0.03, -0.04, -0.05, -0.06, -0.07, -0.08, -0.09});
    default:
      throw InvalidInput("platelets of shelf life " + std::to_string(shelf_life) +
                         " were not published; accepted: 3, 5, 8");
  }
}

/// The defaults are the published values.
struct PlateletsOptions {
  inventory::Costs cost = published_cost(10, 1, 20, 5);
  std::size_t capacity = 20;
  std::size_t days = 1;  ///< 7: demand by weekday with the same mean, lower at the weekend
};

/// The platelets of Wang and Delage, section 6.2, of shelf life 3, 5 or 8. They print the mean of
/// the negative binomial demand as 6.2; n and mean here are the unrounded values that reproduce
/// their tables to the last digit. Demand above 20 counts as 20, whatever the capacity.
inline inventory::Model platelets(std::size_t shelf_life, const PlateletsOptions& options = {}) {
  std::vector<std::vector<double>> demand;
  for (std::size_t day = 0; day < options.days; ++day) {
    const double mean = 6.165049 * (options.days == 1 ? 1.0 : day < 5 ? 1.15 : 0.625);
    demand.push_back(inventory::negative_binomial_demand(11.064622, mean, 20));
  }
  return inventory::Model({.capacity = options.capacity,
                           .max_order = {options.capacity},
                           .arrival = {platelets_arrival(shelf_life)},
                           .demand = std::move(demand),
                           .cost = {options.cost}});
}

}  // namespace shortfall::studies
