#include "shortfall/inventory/fit/fitted_model.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "inventory/fit/demand_counts.hpp"
#include "shortfall/inventory/kernel/suggested_capacity.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

std::size_t quantile_of_rest(const DemandOfDay& day) {
  if (day.mean == 0.0) return 0;
  const double dispersion = day.n < infinity ? 1.0 / day.n : 0.0;
  const detail::DemandTerms terms(dispersion, largest_demand + 1);
  const double rare = portable::log(1e-6);
  auto k = static_cast<std::size_t>(std::min(day.mean, static_cast<double>(largest_demand)));
  while (k < largest_demand && terms.at_least(k + 1, day.mean).value > rare) ++k;
  return k;
}

/// Days that are all alike are one.
template <class Day>
std::vector<Day> one_if_alike(std::vector<Day> days) {
  if (!days.empty() && std::ranges::count(days, days[0]) == std::ssize(days)) {
    days.erase(days.begin() + 1, days.end());
  }
  return days;
}

std::vector<std::vector<double>> demand_laws(const Fit& fit) {
  const std::size_t max = suggested_max_demand(fit);
  std::vector<std::vector<double>> laws;
  for (const DemandOfDay& day : fit.demand.days) {
    laws.push_back(fit.demand.law == DemandLaw::empirical ? empirical_demand(day.probabilities)
                   : fit.demand.law == DemandLaw::poisson || day.mean == 0.0
                       ? poisson_demand(day.mean, max)
                       : negative_binomial_demand(day.n, day.mean, max));
  }
  return one_if_alike(std::move(laws));
}

std::vector<Arrival> arrivals(const Fit& fit) {
  std::vector<Arrival> result;
  if (fit.arrival.law == ArrivalLaw::logit) {
    std::vector<double> c0;
    std::vector<double> c1;
    for (const Coefficient& c : fit.arrival.c0) c0.push_back(c.value);
    for (const Coefficient& c : fit.arrival.c1) c1.push_back(c.value);
    result.push_back(Arrival::logit(fit.shelf_life, std::move(c0), std::move(c1)));
  } else if (fit.arrival.law == ArrivalLaw::shares) {
    for (const std::vector<Share>& day : fit.arrival.shares) {
      std::vector<double> shares;
      for (const Share& share : day) shares.push_back(share.value);
      result.push_back(Arrival::shares(std::move(shares)));
    }
  } else {
    result.push_back(Arrival::fresh(fit.shelf_life));
  }
  return one_if_alike(std::move(result));
}

}  // namespace

Criterion usual_criterion() {
  return {.loss = Expectile(0.9), .gamma = 0.99};
}

std::size_t suggested_capacity(const Fit& fit, const std::vector<Costs>& cost,
                               const Criterion& criterion, std::optional<std::size_t> max_order) {
  require(!cost.empty(), "no costs; accepted: one set of costs, or seven");
  require(max_order.value_or(0) <= largest_capacity, "max_order = {}; accepted: 0 to {}",
          max_order.value_or(0), largest_capacity);
  return suggested_capacity(
      fitted_model(fit, {.cost = cost, .capacity = largest_capacity, .max_order = max_order}),
      criterion);
}

std::size_t suggested_max_demand(const Fit& fit) {
  std::size_t max = 0;
  for (const DemandOfDay& day : fit.demand.days) {
    max = std::max(max, fit.demand.law == DemandLaw::empirical ? day.probabilities.size() - 1
                                                               : quantile_of_rest(day));
  }
  return std::min(std::max(max, fit.demand.largest_recorded), largest_demand);
}

ModelParts fitted_model(const Fit& fit, const FittedModelOptions& options) {
  const std::size_t capacity = options.capacity;
  const std::size_t max_order = options.max_order.value_or(capacity);
  require(max_order <= capacity, "max_order = {}; accepted: 0 to the capacity, {}", max_order,
          capacity);
  std::vector<std::size_t> limits(1, max_order);
  if (std::ranges::find(fit.without_orders, true) != fit.without_orders.end()) {
    limits.assign(7, max_order);
    for (std::size_t day = 0; day < 7; ++day) {
      if (fit.without_orders[day]) limits[day] = 0;
    }
  }
  return {.capacity = capacity,
          .max_order = std::move(limits),
          .arrival = arrivals(fit),
          .demand = demand_laws(fit),
          .cost = one_if_alike(options.cost)};
}

}  // namespace shortfall::inventory
