#include "shortfall/inventory/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/demand.hpp"

namespace shortfall::inventory {
namespace {

void check_range(const char* name, std::size_t value, std::size_t least, std::size_t most) {
  require(value >= least && value <= most, "{} = {}; accepted: {} to {}", name, value, least, most);
}

void check_cost(const char* name, double value) {
  require(value >= 0.0 && value <= largest_unit_cost,
          "{} cost = {}; accepted: a number from 0 to {}", name, value, largest_unit_cost);
}

ModelParts checked(ModelParts parts) {
  check_range("shelf life", parts.arrival.shelf_life(), 1, longest_shelf_life);
  check_range("capacity", parts.capacity, 1, largest_capacity);
  check_range("largest order", parts.max_order, 0, parts.capacity);
  check_cost("order", parts.cost.order);
  check_cost("holding", parts.cost.holding);
  check_cost("shortage", parts.cost.shortage);
  check_cost("wastage", parts.cost.wastage);
  require(parts.demand.size() == 1 || parts.demand.size() == 7,
          "{} demand laws; accepted: one, or seven for Monday to Sunday", parts.demand.size());
  for (auto& law : parts.demand) law = empirical_demand(law);
  return parts;
}

}  // namespace

Model::Model(ModelParts parts)
    : parts_(checked(std::move(parts))), stocks_(shelf_life() - 1, parts_.capacity) {}

std::size_t Model::max_demand() const {
  std::size_t longest = 0;
  for (const auto& law : parts_.demand) longest = std::max(longest, law.size());
  return longest - 1;
}

double Model::period_cost(std::size_t total, std::size_t expiring, std::size_t demand) const {
  const auto beyond = [](std::size_t a, std::size_t b) {
    return a > b ? static_cast<double>(a - b) : 0.0;
  };
  return parts_.cost.holding * beyond(total, demand) +
         parts_.cost.shortage * beyond(demand, total) +
         parts_.cost.wastage * beyond(expiring, demand);
}

void Model::check_orders(const Policy& orders) const {
  require(orders.size() == states(), "{} orders for {} states; accepted: one for each",
          orders.size(), states());
  for (std::size_t total = 0; total <= capacity(); ++total) {
    const auto largest = static_cast<ActionIndex>(largest_order(total));
    for (std::size_t day = 0; day < days(); ++day) {
      const std::size_t first = day * stocks_.size();
      for (std::size_t i = stocks_.layer_begin(total); i < stocks_.layer_begin(total + 1); ++i) {
        const ActionIndex order = orders[first + i];
        if (order >= 0 && order <= largest) continue;
        throw InvalidInput(
            fmt::format("order {} in state {}, with {} units in stock; accepted: 0 "
                        "to {}",
                        order, first + i, total, largest));
      }
    }
  }
}

void age(std::span<const std::uint8_t> w, std::size_t demand, std::span<std::uint8_t> next) {
  std::size_t unmet = demand;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::size_t used = std::min<std::size_t>(unmet, w[i]);
    unmet -= used;
    if (i > 0) next[i - 1] = static_cast<std::uint8_t>(w[i] - used);
  }
}

}  // namespace shortfall::inventory
