#include "formats/plan_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::io {
namespace {

/// For two computed probabilities that are both within `demand_error` of the exact one.
constexpr double probability_tolerance_of_plans = 2.0 * inventory::demand_error;

std::string by_day(std::string_view name, const inventory::Model& model, std::size_t day) {
  return model.days() == 1 ? std::string(name)
                           : fmt::format("{} on {}", name, inventory::weekday_name(day));
}

void add_costs(std::vector<PlanPart>& parts, const inventory::Model& model, std::size_t day) {
  const inventory::Costs& cost = model.cost(day);
  const std::pair<const char*, double> costs[] = {{"cost.order", cost.order},
                                                  {"cost.unit", cost.unit},
                                                  {"cost.holding", cost.holding},
                                                  {"cost.shortage", cost.shortage},
                                                  {"cost.wastage", cost.wastage}};
  for (const auto& [name, value] : costs) {
    parts.push_back({.name = by_day(name, model, day), .numbers = {value}});
  }
}

/// A new maximum changes the mean, too, and a new mean says more than the probabilities.
void add_demand(std::vector<PlanPart>& parts, const inventory::Model& model, std::size_t day) {
  const auto law = model.demand(day);
  double mean = 0.0;
  for (std::size_t k = 0; k < law.size(); ++k) mean += static_cast<double>(k) * law[k];
  parts.push_back(
      {.name = by_day("demand.max", model, day), .numbers = {static_cast<double>(law.size() - 1)}});
  parts.push_back({.name = by_day("demand.mean", model, day),
                   .numbers = {mean},
                   .tolerance = probability_tolerance_of_plans,
                   .is_detail = true});
  parts.push_back({.name = by_day("demand (its probabilities)", model, day),
                   .numbers = {law.begin(), law.end()},
                   .tolerance = probability_tolerance_of_plans,
                   .is_detail = true});
}

/// By order and periods left: many numbers, one of which is enough to show a change.
void add_arrival(std::vector<PlanPart>& parts, const inventory::Model& model, std::size_t day) {
  PlanPart part{.name = by_day("arrival (its shares)", model, day),
                .tolerance = probability_tolerance_of_plans};
  for (std::size_t z = 1; z <= model.largest_order(day, 0); ++z) {
    const std::vector<double> shares = model.arrival(day).probabilities(z);
    part.numbers.insert(part.numbers.end(), shares.begin(), shares.end());
  }
  parts.push_back(std::move(part));
}

bool is_equal(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// Two numbers as texts that differ.
std::string change(const std::string& name, double solved, double now) {
  std::string before = fmt::format("{:.6g}", solved);
  std::string after = fmt::format("{:.6g}", now);
  if (before == after) {
    before = fmt::format("{}", solved);
    after = fmt::format("{}", now);
  }
  return fmt::format("{}: {} when solved, {} now", name, before, after);
}

/// Empty if there is none.
std::string difference_between(const PlanPart& solved, const PlanPart& now) {
  if (solved.text != now.text) {
    return fmt::format("{}: {} when solved, {} now", now.name, solved.text, now.text);
  }
  if (solved.numbers.size() != now.numbers.size()) {
    return fmt::format("{}: {} numbers when solved, {} now", now.name, solved.numbers.size(),
                       now.numbers.size());
  }
  for (std::size_t i = 0; i < now.numbers.size(); ++i) {
    if (is_equal(solved.numbers[i], now.numbers[i], now.tolerance)) continue;
    return change(now.name, solved.numbers[i], now.numbers[i]);
  }
  return {};
}

}  // namespace

std::vector<PlanPart> plan_parts(const InventoryConfiguration& plan) {
  const auto& [model, criterion] = plan;
  const auto number = [](std::string name, double value) {
    return PlanPart{.name = std::move(name), .numbers = {value}};
  };
  std::vector<PlanPart> parts = {
      number("inventory.shelf_life", static_cast<double>(model.shelf_life())),
      number("inventory.capacity", static_cast<double>(model.capacity())),
      number("weekdays", static_cast<double>(model.days())),
      {.name = "risk.loss", .text = criterion.loss.to_string()},
      number("risk.gamma", criterion.gamma)};
  for (std::size_t day = 0; day < model.days(); ++day) {
    parts.push_back(number(by_day("inventory.max_order", model, day),
                           static_cast<double>(model.largest_order(day, 0))));
    add_costs(parts, model, day);
    add_demand(parts, model, day);
    add_arrival(parts, model, day);
  }
  return parts;
}

std::vector<std::string> changes(const std::vector<PlanPart>& solved,
                                 const std::vector<PlanPart>& now) {
  std::vector<std::string> found;
  bool changed = false;  // the last part that is not a detail, or a detail of it
  for (const PlanPart& part : now) {
    const auto before = std::ranges::find(solved, part.name, &PlanPart::name);
    if (!part.is_detail) changed = false;
    if (changed) continue;
    const std::string difference = before == solved.end() ? fmt::format("{}: new", part.name)
                                                          : difference_between(*before, part);
    changed = !difference.empty();
    if (changed) found.push_back(difference);
  }
  return found;
}

}  // namespace shortfall::io
