#include "shortfall/inventory/fit/fitted_model.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "inventory/fit/demand_counts.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

double variance_of(const DemandFit& fit, const DemandOfDay& day) {
  if (fit.law != DemandLaw::empirical) {
    return day.mean + (day.n < infinity ? day.mean * day.mean / day.n : 0.0);
  }
  double variance = 0.0;
  for (std::size_t k = 0; k < day.probabilities.size(); ++k) {
    const double distance = static_cast<double>(k) - day.mean;
    variance += day.probabilities[k] * distance * distance;
  }
  return variance;
}

/// Days from one order to the next, if there are no days without orders.
std::size_t days_between_orders(const Fit& fit, const std::vector<Costs>& cost) {
  double mean = 0.0;
  for (const DemandOfDay& day : fit.demand.days) mean += day.mean;
  mean /= static_cast<double>(fit.demand.days.size());
  double order = 0.0;
  double holding = infinity;
  for (const Costs& of_day : cost) {
    order = std::max(order, of_day.order);
    holding = std::min(holding, of_day.holding);
  }
  if (mean == 0.0) return 1;
  const double days = holding > 0.0 ? std::sqrt(2.0 * order / (holding * mean)) : infinity;
  return static_cast<std::size_t>(
      std::clamp(std::round(days), 1.0, static_cast<double>(fit.shelf_life)));
}

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

/// An upper limit on useful stock; see suggested_capacity().
std::size_t capacity_limit(const Fit& fit, const std::vector<Costs>& cost) {
  constexpr double z = 2.576;
  const std::size_t order_days = days_between_orders(fit, cost);
  const bool never = std::ranges::find(fit.without_orders, false) == fit.without_orders.end();
  double largest = 0.0;
  for (std::size_t first = 0; first < 7; ++first) {
    double mean = 0.0;
    double variance = 0.0;
    std::size_t orders = 0;
    for (std::size_t t = first;; ++t) {
      orders += never || !fit.without_orders[t % 7] ? 1u : 0u;
      if (orders > order_days) break;
      const DemandOfDay& day = of_day(fit.demand.days, t % 7);
      mean += day.mean;
      variance += variance_of(fit.demand, day);
    }
    largest = std::max(largest, 1.1 * (mean + z * std::sqrt(variance)));
  }
  return static_cast<std::size_t>(
      std::clamp(std::ceil(largest), 1.0, static_cast<double>(largest_capacity)));
}

/// Whether the model of total stocks can be solved very quickly.
bool is_quick(std::size_t capacity, const Fit& fit) {
  constexpr std::size_t most_outcomes = 500000;
  return 7 * capacity * capacity / 2 * (suggested_max_demand(fit) + 1) <= most_outcomes;
}

}  // namespace

Criterion usual_criterion() {
  return {.loss = Expectile(0.9), .gamma = 0.99};
}

std::size_t suggested_capacity(const Fit& fit, const std::vector<Costs>& cost,
                               const Criterion& criterion) {
  require(!cost.empty(), "no costs; accepted: one set of costs, or seven");
  const std::size_t limit = capacity_limit(fit, cost);
  if (!is_quick(limit, fit)) return limit;
  const Model model(fitted_model(fit, {.cost = cost, .capacity = limit}));
  std::size_t highest = 1;
  for (const std::vector<std::size_t>& order : solve_non_perishable(model, criterion).order) {
    for (std::size_t total = 0; total < order.size(); ++total) {
      if (order[total] > 0) highest = std::max(highest, total + order[total]);
    }
  }
  double lost = 0.0;
  for (const std::vector<Share>& day : fit.arrival.shares) {
    lost += day.front().value / static_cast<double>(fit.arrival.shares.size());
  }
  lost = fit.shelf_life > 1 ? std::max(lost, 0.1) : 0.1;
  const double wanted = static_cast<double>(highest) * (1.0 + lost) + 1.0;
  return std::min(static_cast<std::size_t>(wanted), largest_capacity);
}

std::optional<std::size_t> largest_useful_order(const Fit& fit, const std::vector<Costs>& cost,
                                                std::size_t capacity, const Criterion& criterion) {
  if (!is_quick(capacity, fit)) return std::nullopt;
  const Model model(fitted_model(fit, {.cost = cost, .capacity = capacity}));
  std::size_t largest = 0;
  for (const std::vector<std::size_t>& order : solve_non_perishable(model, criterion).order) {
    largest = std::max(largest, *std::ranges::max_element(order));
  }
  return largest;
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
