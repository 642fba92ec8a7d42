#include "apps/shortfall/inventory_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "files/input_file.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

/// A swept value in JSON: a number if it is one.
nlohmann::json as_json(const std::string& value) {
  const auto number = io::parse_number(value);
  return number ? nlohmann::json(*number) : nlohmann::json(value);
}

double mean_of(std::span<const double> law) {
  double mean = 0.0;
  for (std::size_t k = 0; k < law.size(); ++k) mean += static_cast<double>(k) * law[k];
  return mean;
}

std::string short_levels(const inventory::NonPerishable& non_perishable, std::size_t day) {
  if (const auto& levels = non_perishable.shape[day]) {
    return fmt::format("({},{})", levels->reorder_at, levels->order_up_to);
  }
  const auto& order = non_perishable.order[day];
  return std::ranges::all_of(order, [](std::size_t z) { return z == 0; }) ? "never" : "other";
}

std::string demand_text(const inventory::Model& model) {
  std::string text = fmt::format("{:.4g}", mean_of(model.demand(0)));
  for (std::size_t day = 1; day < model.days(); ++day) {
    text += fmt::format(", {:.4g}", mean_of(model.demand(day)));
  }
  return text + (model.days() > 1 ? " from Monday to Sunday" : "");
}

/// "10", or "[10, 10, 10, 10, 10, 20, 20]" if it differs by day.
std::string cost_text(const inventory::Model& model, double inventory::Costs::*member) {
  std::vector<double> costs;
  for (std::size_t day = 0; day < model.days(); ++day) costs.push_back(model.cost(day).*member);
  const bool same = std::ranges::all_of(costs, [&](double cost) { return cost == costs[0]; });
  return same ? fmt::format("{}", costs[0]) : fmt::format("[{}]", fmt::join(costs, ", "));
}

std::string closed_days_text(const inventory::Model& model) {
  std::string text;
  for (std::size_t day = 0; model.max_order() > 0 && day < model.days(); ++day) {
    if (model.largest_order(day, 0) > 0) continue;
    text += fmt::format("{} {}", text.empty() ? "; no orders on" : ",", day_name(day));
  }
  return text;
}

}  // namespace

nlohmann::json as_json(const InventoryPoint& point) {
  nlohmann::json document = report::document_of(point.configuration);
  for (const auto& [key, value] : point.set) document["set"][key] = as_json(value);
  return document;
}

nlohmann::json levels_as_json(const inventory::NonPerishable& non_perishable) {
  nlohmann::json days = nlohmann::json::array();
  for (const auto& levels : non_perishable.shape) {
    days.push_back(levels ? nlohmann::json{{"reorder_at", levels->reorder_at},
                                           {"order_up_to", levels->order_up_to}}
                          : nlohmann::json());
  }
  return days;
}

std::string levels_as_text(const inventory::NonPerishable& non_perishable) {
  const auto& shape = non_perishable.shape;
  if (shape.size() > 1) {
    std::string text = "order up to S when s or fewer are left, with (s,S)";
    for (std::size_t day = 0; day < shape.size(); ++day) {
      text += fmt::format("{} {} {}", day > 0 ? "," : "", day_name(day),
                          short_levels(non_perishable, day));
    }
    return text;
  }
  if (shape[0]) {
    return fmt::format("order up to {} when {} or fewer are left", shape[0]->order_up_to,
                       shape[0]->reorder_at);
  }
  return short_levels(non_perishable, 0) == "never"
             ? "never order"
             : "no single order-up-to level is best at all stocks";
}

std::string short_levels_as_text(const inventory::NonPerishable& non_perishable) {
  std::string text;
  for (std::size_t day = 0; day < non_perishable.shape.size(); ++day) {
    text += fmt::format("{}{}", day > 0 ? " " : "", short_levels(non_perishable, day));
  }
  return text;
}

std::string heading(const InventoryOptions& options, const InventoryPoint& point) {
  const auto& [model, criterion] = point.configuration;
  // A star stands for a swept value.
  const auto shown = [&](std::string_view keys, const auto& value) {
    const auto swept = [&](const auto& set) { return set.first.starts_with(keys); };
    return std::ranges::any_of(point.set, swept) ? std::string("*") : fmt::format("{}", value);
  };
  using inventory::Costs;
  const std::string unit = shown("cost.unit", cost_text(model, &Costs::unit));
  return fmt::format(
      "{}: shelf life {}, capacity {}, mean demand {}; {} states{}\n"
      "costs: order {},{} holding {}, shortage {}, wastage {}; risk {}, gamma {}{}\n",
      io::input_name(options.config), shown("inventory.shelf_life", model.shelf_life()),
      shown("inventory.capacity", point.capacities), shown("demand.", demand_text(model)),
      shown("inventory.", shown("demand.", point.states)), closed_days_text(model),
      shown("cost.order", cost_text(model, &Costs::order)),
      unit == "0" ? "" : fmt::format(" unit {},", unit),
      shown("cost.holding", cost_text(model, &Costs::holding)),
      shown("cost.shortage", cost_text(model, &Costs::shortage)),
      shown("cost.wastage", cost_text(model, &Costs::wastage)),
      // risk.tau and risk.loss both set the loss.
      shown("risk.tau", shown("risk.loss", criterion.loss.to_string())),
      shown("risk.gamma", criterion.gamma), point.set.empty() ? "" : "  (*: see below)");
}

nlohmann::json document_of(const InventoryOptions& options, std::vector<nlohmann::json> points,
                           double seconds, const Processes& processes) {
  nlohmann::json document =
      options.sweep.empty() ? std::move(points.front())
                            : nlohmann::json{{"sweep", std::move(points)}, {"seconds", seconds}};
  processes.add_to(document);
  return document;
}

/// The quotient of values of the same sign is farthest off where the cost is highest and the
/// optimum lowest.
Gap gap_of(const Certified& cost, const Certified& optimum) {
  const double ratio = cost.value / optimum.value;
  const double least = optimum.value - optimum.error_bound;
  const double error = least > 0.0 ? (cost.value + cost.error_bound) / least - ratio : infinity;
  return {cost.value > optimum.value ? 100.0 * (ratio - 1.0) : 0.0, 100.0 * error};
}

ExitCode exit_code_of(const InventoryOptions& options, const std::vector<Outcome>& outcomes) {
  const auto failed = std::ranges::find_if(
      outcomes, [](const Outcome& outcome) { return !is_success(outcome.status); });
  if (failed == outcomes.end()) return success;
  double error_bound = 0.0;
  for (const Outcome& outcome : outcomes) {
    if (outcome.status == failed->status) error_bound = std::max(error_bound, outcome.error_bound);
  }
  say(fmt::format("shortfall: {}: {}\n", io::input_name(options.config),
                  failure_reason(failed->status, error_bound, options.tolerance)));
  return no_answer;
}

const char* day_name(std::size_t day) {
  constexpr std::array<const char*, 7> names = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  return names.at(day);
}

}  // namespace shortfall::app
