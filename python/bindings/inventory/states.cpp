#include <utility>

#include "bindings/inventory/inventory_parts.hpp"

namespace shortfall::python {

const std::vector<std::uint8_t>& Inventory::stocks() const {
  const inventory::StockIndex& index = model().stocks();
  const std::size_t ages = index.length();
  if (!stocks_.empty() || ages == 0) return stocks_;
  stocks_.resize(index.size() * ages);
  for (std::size_t rank = 0; rank < index.size(); ++rank) {
    index.unrank(static_cast<std::uint32_t>(rank), std::span(stocks_).subspan(rank * ages, ages));
  }
  return stocks_;
}

std::size_t Inventory::index(std::span<const std::int64_t> stock, std::int64_t day) const {
  const auto capacity = static_cast<std::int64_t>(model().capacity());
  const std::size_t ages = model().stocks().length();
  if (stock.size() != ages) {
    throw InvalidInput(
        fmt::format("a stock of {} ages; accepted: {}, the units with 1, 2, .. "
                    "periods left",
                    stock.size(), ages));
  }
  std::vector<std::uint8_t> units;
  std::int64_t room = capacity;
  for (const std::int64_t amount : stock) {
    if (amount < 0 || amount > room) {
      throw InvalidInput(
          fmt::format("a stock of {} units of one age, but only {} fit; accepted: "
                      "amounts from 0 that sum to at most the capacity, {}",
                      amount, room, capacity));
    }
    room -= amount;
    units.push_back(static_cast<std::uint8_t>(amount));
  }
  if (day < 0 || day >= static_cast<std::int64_t>(model().days())) {
    throw InvalidInput(fmt::format("day = {}; accepted: {}", day,
                                   model().days() == 1 ? "0" : "0 for Monday to 6 for Sunday"));
  }
  return static_cast<std::size_t>(day) * model().stocks().size() + model().stocks().rank(units);
}

Policy Inventory::checked_orders(const Integers& orders) const {
  Policy policy;
  for (const std::int64_t order : vector_span(orders, "orders")) {
    if (!std::in_range<ActionIndex>(order)) {
      throw InvalidInput(fmt::format("order {} in state {}; accepted: 0 to {}", order,
                                     policy.size(), model().max_order()));
    }
    policy.push_back(static_cast<ActionIndex>(order));
  }
  model().check_orders(policy);
  return policy;
}

}  // namespace shortfall::python
