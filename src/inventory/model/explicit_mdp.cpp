#include "shortfall/inventory/model/explicit_mdp.hpp"

#include <utility>

#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

using Units = std::vector<std::uint8_t>;

/// One possible delivery of an order: Y = y with its multinomial probability.
struct Delivery {
  Units y;
  double probability;
};

double binomial(std::size_t n, std::size_t k) {
  double value = 1.0;
  for (std::size_t i = 1; i <= k; ++i) {
    value *= static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return value;
}

/// Extends (y_1, .., y_i), of probability `weight` so far, to all deliveries with `left`
/// more units: P(Y = y) = z! / (y_1! .. y_m!) p_1^y_1 .. p_m^y_m, with the coefficient
/// as a product of binomials.
void add_deliveries(const std::vector<double>& p, std::size_t left, double weight, Units& y,
                    std::vector<Delivery>& deliveries) {
  if (weight == 0.0) return;
  const std::size_t i = y.size();
  if (i + 1 == p.size()) {
    const double probability = weight * portable::pow(p[i], static_cast<double>(left));
    y.push_back(static_cast<std::uint8_t>(left));
    if (probability > 0.0) deliveries.push_back({y, probability});
    y.pop_back();
    return;
  }
  for (std::size_t units = 0; units <= left; ++units) {
    y.push_back(static_cast<std::uint8_t>(units));
    add_deliveries(p, left - units,
                   weight * binomial(left, units) * portable::pow(p[i], static_cast<double>(units)),
                   y, deliveries);
    y.pop_back();
  }
}

/// All deliveries of an order of z, for z = 0..largest.
using Deliveries = std::vector<std::vector<Delivery>>;

Deliveries all_deliveries(const Arrival& arrival, std::size_t largest) {
  Deliveries deliveries(largest + 1);
  Units y;
  for (std::size_t z = 0; z <= largest; ++z) {
    add_deliveries(arrival.probabilities(z), z, 1.0, y, deliveries[z]);
  }
  return deliveries;
}

int positive_part(int a) {
  return a > 0 ? a : 0;
}

/// X'_j = (w_{j+1} - (D - w_1 - .. - w_j)⁺)⁺ for j = 1..m-1.
Units next_stock(const Units& w, std::size_t demand) {
  Units next;
  int beyond_oldest = static_cast<int>(demand);  // D - w_1 - .. - w_j
  for (std::size_t j = 1; j < w.size(); ++j) {
    beyond_oldest -= w[j - 1];
    next.push_back(static_cast<std::uint8_t>(positive_part(w[j] - positive_part(beyond_oldest))));
  }
  return next;
}

std::size_t total_of(const Units& stock) {
  std::size_t total = 0;
  for (const std::uint8_t units : stock) total += units;
  return total;
}

/// Every outcome of the feasible orders in one state.
void add_state(const Model& model, std::size_t day, std::uint32_t x_rank,
               const Deliveries& deliveries, TransitionTable& table) {
  const StockIndex& stocks = model.stocks();
  const auto state = static_cast<StateIndex>(day * stocks.size() + x_rank);
  const std::size_t next_day = (day + 1) % model.days();
  const auto law = model.demand(day);
  Units x(stocks.length());
  stocks.unrank(x_rank, x);
  for (std::size_t z = 0; z <= model.largest_order(day, total_of(x)); ++z) {
    const Costs& cost_of = model.cost(day);
    const double order_cost = (z > 0 ? cost_of.order : 0.0) + cost_of.unit * static_cast<double>(z);
    for (const auto& [y, p_y] : deliveries[z]) {
      Units w = y;
      for (std::size_t i = 0; i < x.size(); ++i) w[i] = static_cast<std::uint8_t>(w[i] + x[i]);
      for (std::size_t d = 0; d < law.size(); ++d) {
        const auto next =
            static_cast<StateIndex>(next_day * stocks.size() + stocks.rank(next_stock(w, d)));
        const double cost = order_cost + model.period_cost(day, {total_of(w), w.front()}, d);
        table.add(state, static_cast<ActionIndex>(z), next, Probability(p_y * law[d]), cost);
      }
    }
  }
}

void reserve(TransitionTable& table, std::size_t rows) {
  table.from.reserve(rows);
  table.action.reserve(rows);
  table.to.reserve(rows);
  table.probability.reserve(rows);
  table.cost.reserve(rows);
}

std::size_t count_outcomes(const Model& model, std::size_t day, const Deliveries& deliveries) {
  std::size_t count = 0;
  for (std::size_t total = 0; total <= model.capacity(); ++total) {
    std::size_t ways = 0;
    for (std::size_t z = 0; z <= model.largest_order(day, total); ++z) ways += deliveries[z].size();
    count += model.stocks().layer_size(total) * ways * model.demand(day).size();
  }
  return count;
}

}  // namespace

Mdp explicit_mdp(const Model& model) {
  std::vector<Deliveries> deliveries;
  std::size_t outcomes = 0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    deliveries.push_back(all_deliveries(model.arrival(day), model.largest_order(day, 0)));
    outcomes += count_outcomes(model, day, deliveries.back());
  }
  TransitionTable table;
  reserve(table, outcomes);
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (std::uint32_t x = 0; x < model.stocks().size(); ++x) {
      add_state(model, day, x, deliveries[day], table);
    }
  }
  return Mdp::build(std::move(table));
}

}  // namespace shortfall::inventory
