#include <filesystem>
#include <string_view>
#include <utility>

#include "bindings/inventory/inventory_parts.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::python {

namespace {

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A Python value in TOML syntax.
std::string toml_of(py::handle value, const std::string& key) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return in_quotes(value.cast<std::string>());
  if (py::isinstance<AnyLoss>(value)) return in_quotes(value.cast<const AnyLoss&>().to_string());
  // NumPy arrays and scalars.
  if (py::hasattr(value, "tolist")) return toml_of(value.attr("tolist")(), key);
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) {
    return py::repr(value).cast<std::string>();
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    std::string items;
    for (const py::handle item : value) {
      items += fmt::format("{}{}", items.empty() ? "" : ", ", toml_of(item, key));
    }
    return fmt::format("[{}]", items);
  }
  throw py::type_error(
      fmt::format("set: {} is of type {}; accepted: numbers, strings, True, "
                  "False, and lists of these",
                  key, py::type::of(value).attr("__name__").cast<std::string>()));
}

}  // namespace

std::vector<std::string> assignments_of(const py::dict& set) {
  std::vector<std::string> assignments;
  for (const auto& [name, value] : set) {
    const auto key = py::str(name).cast<std::string>();
    assignments.push_back(fmt::format("{}={}", key, toml_of(value, key)));
  }
  return assignments;
}

std::shared_ptr<Inventory> read_inventory(const std::string& path, const py::dict& set) {
  io::InventoryToml file(path);
  for (const std::string& assignment : assignments_of(set)) file.set(assignment, "set");
  return std::make_shared<Inventory>(file.configuration(),
                                     std::filesystem::path(path).filename().string(),
                                     file.placeholder_costs());
}

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
