#include "shortfall/formats/inventory_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "errors/require.hpp"
#include "files/input_file.hpp"
#include "formats/inventory_keys.hpp"
#include "formats/inventory_parts.hpp"
#include "formats/settings_toml.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/suggested_capacity.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using Keys = std::initializer_list<std::string_view>;

/// Removes values of the file that the command line overrides.
void drop_from_file(Settings& settings, Keys keys) {
  for (const std::string_view key : keys) {
    const auto found = settings.find(key);
    if (found != settings.end() && found->second.origin == Origin::file) settings.erase(found);
  }
}

/// A max_order above the new capacity was meant for the old one.
void drop_order_above(Settings& settings, const Value& capacity) {
  const auto max_order = settings.find("inventory.max_order");
  if (max_order == settings.end()) return;
  const std::optional<double> fits = number_of(capacity);
  const auto is_above = [&](const Value& value) {
    const std::optional<double> largest = number_of(value);
    return largest && fits && *largest > *fits;
  };
  const Value& value = max_order->second.value;
  const auto* const week = std::get_if<Value::List>(&value.content);
  const bool drops = week ? std::ranges::any_of(*week, is_above) : is_above(value);
  if (drops) drop_from_file(settings, {"inventory.max_order"});
}

/// A cost that was given is no placeholder any more.
void drop_placeholder(Settings& settings, std::string_view cost) {
  const auto placeholders = settings.find("cost.placeholders");
  if (placeholders == settings.end() || placeholders->second.origin != Origin::file) return;
  auto* const list = std::get_if<Value::List>(&placeholders->second.value.content);
  if (!list) return;
  std::erase_if(*list, [&](const Value& value) {
    const auto* const name = std::get_if<std::string>(&value.content);
    return name && *name == cost;
  });
}

/// Removes values that conflict with the new value of `key`.
void drop_conflicting(Settings& settings, std::string_view key, const Value& value) {
  const auto* const name = std::get_if<std::string>(&value.content);
  const auto* const flag = std::get_if<bool>(&value.content);
  if (key.starts_with("cost.")) drop_placeholder(settings, key.substr(key.find('.') + 1));
  if (key == "risk.tau") settings.erase("risk.loss");
  if (key == "risk.loss") settings.erase("risk.tau");
  if (key == "inventory.capacity") drop_order_above(settings, value);
  if (key == "arrival.c0" || key == "arrival.c1") {
    drop_from_file(settings, {"arrival.fresh", "arrival.shares"});
  }
  if (key == "arrival.shares") {
    drop_from_file(settings, {"arrival.fresh", "arrival.c0", "arrival.c1"});
  }
  if (key == "arrival.fresh" && flag && *flag) {
    drop_from_file(settings, {"arrival.c0", "arrival.c1", "arrival.shares"});
  }
  if (key != "demand.distribution" || !name) return;
  if (*name != "empirical") drop_from_file(settings, {"demand.probabilities"});
  if (*name == "poisson") drop_from_file(settings, {"demand.n"});
  if (*name == "empirical") drop_from_file(settings, {"demand.n", "demand.mean", "demand.max"});
}

}  // namespace

InventoryToml::InventoryToml(const std::string& path) : name_(input_name(path)) {
  settings_ = read_settings(InputFile(path).text(), name_);
}

InventoryToml::InventoryToml(std::string_view text, std::string name)
    : name_(std::move(name)), settings_(read_settings(text, name_)) {}

void InventoryToml::set(std::string_view assignment, std::string_view option) {
  const bool one_line = assignment.find_first_of("\r\n") == std::string_view::npos;
  const std::string where = one_line ? fmt::format("{} {}", option, assignment)
                                     : fmt::format("{} {:?}", option, assignment);
  const std::size_t equals = assignment.find('=');
  require(equals != std::string_view::npos,
          "{}: the = is missing; accepted: KEY=VALUE, such as cost.order=80", where);
  const std::string key(trimmed(assignment.substr(0, equals)));
  check_key(key, where);
  Value value = parse_value(assignment.substr(equals + 1), where);
  drop_conflicting(settings_, key, value);
  settings_[key] = {where, std::move(value), Origin::command_line};
}

std::optional<AnyLoss> InventoryToml::loss() const {
  const SettingReader reader(settings_, name_);
  if (!reader.find("risk.loss") && !reader.find("risk.tau")) return std::nullopt;
  return read_loss(reader);
}

std::optional<double> InventoryToml::gamma() const {
  const SettingReader reader(settings_, name_);
  if (!reader.find("risk.gamma")) return std::nullopt;
  return reader.number("risk.gamma", {[](double) { return true; }, "a number"});
}

std::vector<inventory::Costs> InventoryToml::costs_or(const inventory::Costs& otherwise) const {
  return read_costs(SettingReader(settings_, name_), &otherwise);
}

Criterion InventoryToml::criterion_or(const Criterion& otherwise) const {
  const SettingReader reader(settings_, name_);
  return {.loss = loss().value_or(otherwise.loss),
          .gamma = reader.find("risk.gamma") ? read_gamma(reader) : otherwise.gamma};
}

std::vector<std::string> InventoryToml::placeholder_costs() const {
  return read_placeholder_costs(SettingReader(settings_, name_));
}

InventoryConfiguration InventoryToml::configuration() const {
  const SettingReader reader(settings_, name_);
  inventory::ModelParts parts = read_parts(reader);
  const Criterion criterion{.loss = read_loss(reader), .gamma = read_gamma(reader)};
  const Setting* const capacity = reader.find("inventory.capacity");
  if (!capacity) {
    parts.capacity = inventory::suggested_capacity(parts, criterion);
    for (std::size_t& most : parts.max_order) most = std::min(most, parts.capacity);
  }
  const std::string where = capacity ? capacity->where
                                     : fmt::format(
                                           "{}, key inventory.capacity, which is {} if it "
                                           "is not given",
                                           name_, parts.capacity);
  try {
    return {inventory::Model(std::move(parts)), criterion};
  } catch (const InvalidInput& error) {
    // Each part has been checked; what can still fail is the number of stocks.
    throw InvalidInput(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace shortfall::io
