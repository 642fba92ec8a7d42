#pragma once

#include <cstddef>
#include <pcg_random.hpp>
#include <utility>
#include <vector>

#include "published/platelets.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::testing {

/// The costs at the head of most published tables.
inline constexpr inventory::Costs paper_costs{
    .order = 10.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0};

/// The published platelets, with other costs or capacity.
inline inventory::Model paper_model(std::size_t shelf_life,
                                    const inventory::Costs& costs = paper_costs,
                                    std::size_t capacity = 20) {
  return studies::platelets(shelf_life, {.cost = costs, .capacity = capacity});
}

/// A law on 0..max of one of the families, with means from 0 to beyond max.
inline std::vector<double> random_demand(pcg64& generator, std::size_t max) {
  const double mean = 1.2 * static_cast<double>(max) * draw_uniform(generator);
  switch (draw_index(generator, 4)) {
    case 0:
      return inventory::poisson_demand(mean, max);
    case 1:
      return inventory::negative_binomial_demand(0.2 + 10.0 * draw_uniform(generator), mean, max);
    case 2: {  // known in advance
      std::vector<double> law(max + 1, 0.0);
      law[draw_index(generator, static_cast<std::uint32_t>(max + 1))] = 1.0;
      return law;
    }
    default: {  // empirical, with gaps
      std::vector<double> weight(max + 1);
      double sum = 0.0;
      for (double& w : weight) {
        w = draw_index(generator, 3) == 0 ? 0.0 : draw_uniform(generator);
        sum += w;
      }
      if (sum == 0.0) sum = weight.back() = 1.0;
      for (double& w : weight) w /= sum;
      return inventory::empirical_demand(weight);
    }
  }
}

/// Shares on arrival, some of them zero.
inline inventory::Arrival random_shares(pcg64& generator, std::size_t shelf_life) {
  std::vector<double> shares(shelf_life);
  double sum = 0.0;
  for (double& share : shares) {
    share = draw_index(generator, 3) == 0 ? 0.0 : draw_uniform(generator);
    sum += share;
  }
  if (sum == 0.0) {
    sum = shares[draw_index(generator, static_cast<std::uint32_t>(shelf_life))] = 1.0;
  }
  for (double& share : shares) share /= sum;
  return inventory::Arrival::shares(std::move(shares));
}

/// Shelf lives on arrival: fresh, shares, or logits that may depend on the order.
inline inventory::Arrival random_arrival(pcg64& generator, std::size_t shelf_life) {
  const std::uint32_t kind = draw_index(generator, 5);
  if (kind == 0) return inventory::Arrival::fresh(shelf_life);
  if (kind <= 2) return random_shares(generator, shelf_life);
  const double dependence = draw_index(generator, 3) == 0 ? 0.0 : 0.5;
  std::vector<double> c0(shelf_life - 1);
  std::vector<double> c1(shelf_life - 1);
  for (double& c : c0) c = 4.0 * draw_uniform(generator) - 2.0;
  for (double& c : c1) c = dependence * (2.0 * draw_uniform(generator) - 1.0);
  return inventory::Arrival::logit(shelf_life, std::move(c0), std::move(c1));
}

/// A cost that is an integer, so that ties occur, any number, or zero.
inline double random_cost(pcg64& generator, double largest) {
  switch (draw_index(generator, 4)) {
    case 0:
      return 0.0;
    case 1:
      return draw_index(generator, static_cast<std::uint32_t>(largest) + 1);
    default:
      return largest * draw_uniform(generator);
  }
}

inline inventory::Costs random_costs(pcg64& generator) {
  inventory::Costs costs;
  costs.order = random_cost(generator, 30.0);
  costs.unit = draw_index(generator, 2) == 0 ? 0.0 : random_cost(generator, 8.0);
  costs.holding = random_cost(generator, 3.0);
  costs.shortage = random_cost(generator, 30.0);
  costs.wastage = random_cost(generator, 30.0);
  return costs;
}

/// A model small enough to list every outcome, at most about 10⁵: shelf life 1..4, one day or seven
/// (one in three), demands of every family that may exceed the capacity, fresh or not, and a
/// largest order below the capacity in one of three. In a week, each part is the same for all days
/// or has seven entries, and one day in four is closed if the largest orders do.
inline inventory::Model random_model(pcg64& generator) {
  const std::size_t shelf_life = 1 + draw_index(generator, 4);
  const std::uint32_t most[] = {12, 9, 6, 5};
  const std::uint32_t capacity = 1 + draw_index(generator, most[shelf_life - 1]);
  const bool week = draw_index(generator, 3) == 0;
  const auto entries = [&] { return week && draw_index(generator, 2) == 0 ? 7U : 1U; };
  inventory::ModelParts parts{.capacity = capacity};
  parts.max_order.resize(entries());
  for (std::size_t& largest : parts.max_order) {
    largest = draw_index(generator, 3) == 0 ? draw_index(generator, capacity + 1) : capacity;
    if (parts.max_order.size() == 7 && draw_index(generator, 4) == 0) largest = 0;
  }
  const unsigned arrivals = entries();
  for (unsigned i = 0; i < arrivals; ++i) {
    parts.arrival.push_back(random_arrival(generator, shelf_life));
  }
  parts.cost.resize(entries());
  for (inventory::Costs& costs : parts.cost) costs = random_costs(generator);
  const bool is_week = parts.max_order.size() + arrivals + parts.cost.size() > 3;
  parts.demand.resize(week && !is_week ? 7 : entries());
  for (auto& law : parts.demand)
    law = random_demand(generator, draw_index(generator, capacity + 4));
  return inventory::Model(std::move(parts));
}

/// Any feasible order in each state.
inline Policy random_orders(pcg64& generator, const inventory::Model& model) {
  Policy orders(model.states());
  std::vector<std::uint8_t> stock(model.stocks().length());
  for (std::size_t x = 0; x < orders.size(); ++x) {
    model.stocks().unrank(static_cast<std::uint32_t>(x % model.stocks().size()), stock);
    std::size_t total = 0;
    for (const std::uint8_t units : stock) total += units;
    const auto choices =
        static_cast<std::uint32_t>(model.largest_order(x / model.stocks().size(), total) + 1);
    orders[x] = static_cast<ActionIndex>(draw_index(generator, choices));
  }
  return orders;
}

}  // namespace shortfall::testing
