#include "formats/inventory_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "shortfall/errors/error.hpp"
#include "shortfall/formats/inventory_toml.hpp"

namespace shortfall::io {
namespace {

using inventory::of_day;

static_assert(inventory::largest_unit_cost == 1e100);
constexpr NumberRule cost_rule{[](double x) { return x >= 0.0 && x <= 1e100; },
                               "a number from 0 to 1e100"};
constexpr NumberRule gamma_rule{[](double x) { return x > 0.0 && x < 1.0; },
                                "a number strictly between 0 and 1"};

constexpr std::string_view accepted_loss =
    "mean, expectile:TAU, entropic:BETA, truncated-entropic:BETA,BOUND, soft-quantile:MU,KAPPA or "
    "piecewise:X1:Y1,X2:Y2,..";

AnyLoss parse_loss(const Setting& setting, const std::string& text) {
  try {
    return AnyLoss::parse(text);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", setting.where, error.what()));
  }
}

}  // namespace

std::vector<inventory::Costs> read_costs(const SettingReader& settings,
                                         const inventory::Costs* otherwise) {
  using inventory::Costs;
  const Costs none;
  const auto read = [&](std::string_view key, double Costs::*cost, const Costs* missing) {
    return missing && !settings.find(key) ? std::vector{missing->*cost}
                                          : settings.number_or_week(key, cost_rule);
  };
  const std::vector<double> order = read("cost.order", &Costs::order, otherwise);
  const std::vector<double> unit = read("cost.unit", &Costs::unit, otherwise ? otherwise : &none);
  const std::vector<double> holding = read("cost.holding", &Costs::holding, otherwise);
  const std::vector<double> shortage = read("cost.shortage", &Costs::shortage, otherwise);
  const std::vector<double> wastage = read("cost.wastage", &Costs::wastage, otherwise);
  const std::size_t days =
      std::max({order.size(), unit.size(), holding.size(), shortage.size(), wastage.size()});
  std::vector<inventory::Costs> costs;
  for (std::size_t day = 0; day < days; ++day) {
    costs.push_back({.order = of_day(order, day),
                     .unit = of_day(unit, day),
                     .holding = of_day(holding, day),
                     .shortage = of_day(shortage, day),
                     .wastage = of_day(wastage, day)});
  }
  return costs;
}

std::vector<std::string> read_placeholder_costs(const SettingReader& settings) {
  constexpr auto accepted = "a list of order, unit, holding, shortage, wastage";
  const Setting* const given = settings.find("cost.placeholders");
  if (!given) return {};
  const auto* const list = std::get_if<Value::List>(&given->value.content);
  if (!list) refuse(*given, fmt::format("is {}", describe(given->value)), accepted);
  std::vector<std::string_view> found;
  for (const Value& value : *list) {
    const auto* const name = std::get_if<std::string>(&value.content);
    const bool is_known = name && std::ranges::count(cost_names, *name) > 0;
    if (!is_known) refuse(*given, fmt::format("has {}", describe(value)), accepted);
    found.push_back(*name);
  }
  std::vector<std::string> names;
  for (const std::string_view name : cost_names) {
    if (std::ranges::count(found, name) > 0) names.emplace_back(name);
  }
  return names;
}

inventory::ModelParts read_parts(const SettingReader& settings) {
  const std::size_t shelf_life =
      settings.integer("inventory.shelf_life", 1, inventory::longest_shelf_life);
  const std::size_t capacity =
      settings.find("inventory.capacity")
          ? settings.integer("inventory.capacity", 1, inventory::largest_capacity)
          : inventory::largest_capacity;
  std::vector<std::size_t> max_order = {capacity};
  if (settings.find("inventory.max_order")) {
    max_order = settings.integer_or_week("inventory.max_order", 0, inventory::largest_capacity);
    for (std::size_t& most : max_order) most = std::min(most, capacity);
  }
  return {.capacity = capacity,
          .max_order = std::move(max_order),
          .arrival = read_arrival(settings, shelf_life),
          .demand = read_demand(settings),
          .cost = read_costs(settings)};
}

AnyLoss read_loss(const SettingReader& settings) {
  const Setting* const tau = settings.find("risk.tau");
  if (!tau) {
    const std::string text = settings.text("risk.loss", accepted_loss);
    return parse_loss(*settings.find("risk.loss"), text);
  }
  if (settings.find("risk.loss")) {
    refuse(*tau, "cannot be combined with loss: tau is short for loss = expectile:TAU",
           "either loss or tau");
  }
  const double level = settings.number("risk.tau", gamma_rule);
  return parse_loss(*tau, fmt::format("expectile:{}", level));
}

double read_gamma(const SettingReader& settings) {
  return settings.number("risk.gamma", gamma_rule);
}

}  // namespace shortfall::io
