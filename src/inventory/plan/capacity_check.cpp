#include "shortfall/inventory/plan/capacity_check.hpp"

#include <algorithm>
#include <vector>

#include "shortfall/inventory/kernel/suggested_capacity.hpp"
#include "shortfall/inventory/simulate/episode.hpp"

namespace shortfall::inventory {
namespace {

/// The share of simulated days on which an order fills the capacity.
double share_of_full_days(const Model& model, const Policy& orders) {
  constexpr std::size_t years = 20;
  constexpr std::size_t days = 364;
  const StockIndex& stocks = model.stocks();
  std::vector<std::size_t> ends;  // of the layers of equal total
  for (std::size_t t = 0; t <= model.capacity(); ++t) ends.push_back(stocks.layer_begin(t + 1));
  std::size_t full = 0;
  Episode episode(model);
  for (std::size_t year = 0; year < years; ++year) {
    episode.start({.replication = year});
    for (std::size_t day = 0; day < days; ++day) {
      const std::size_t state = episode.state();
      const auto order = static_cast<std::size_t>(orders[state]);
      const auto total = static_cast<std::size_t>(
          std::ranges::upper_bound(ends, state % stocks.size()) - ends.begin());
      full += order > 0 && total + order == model.capacity() ? 1U : 0U;
      episode.step(order);
    }
  }
  return static_cast<double>(full) / static_cast<double>(years * days);
}

}  // namespace

std::optional<Warning> capacity_warning(const Model& model, const Criterion& criterion,
                                        const Policy& orders) {
  if (orders.size() != model.states()) return std::nullopt;
  constexpr double rare = 0.01;
  const double share = share_of_full_days(model, orders);
  if (share < rare) return std::nullopt;
  ModelParts parts = model.parts();
  for (std::size_t& most : parts.max_order) {
    if (most == parts.capacity) most = largest_capacity;  // no limit of its own
  }
  const std::size_t useful = largest_useful_capacity(parts, criterion);
  if (model.capacity() == largest_capacity && useful == largest_capacity) {
    return Warning{.code = WarningCode::stock_above_largest_capacity, .total = largest_capacity};
  }
  if (model.capacity() >= useful) return std::nullopt;
  const std::size_t more = model.capacity() + std::max<std::size_t>(model.capacity() / 4, 2);
  return Warning{
      .code = WarningCode::capacity_limits_orders,
      .count = model.capacity(),
      .total = std::min(std::max(suggested_capacity(parts, criterion), more), largest_capacity),
      .number = share};
}

}  // namespace shortfall::inventory
