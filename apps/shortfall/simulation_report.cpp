#include "apps/shortfall/simulation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "report/simulation_rates.hpp"

namespace shortfall::app {

SimulationReport::Difference SimulationReport::difference_from_first(
    const std::vector<double>& cost) const {
  const auto count = static_cast<double>(cost.size());
  double sum = 0.0;
  for (std::size_t r = 0; r < cost.size(); ++r) sum += cost[r] - first_cost_[r];
  const double mean = sum / count;
  double squares = 0.0;
  for (std::size_t r = 0; r < cost.size(); ++r) {
    const double deviation = cost[r] - first_cost_[r] - mean;
    squares += deviation * deviation;
  }
  return {mean, count > 1.0 ? std::sqrt(squares / (count - 1.0) / count)
                            : std::numeric_limits<double>::infinity()};
}

void SimulationReport::add(const InventoryPoint& point, const std::string& policy,
                           inventory::SimulationResult result) {
  if (columns_.empty()) {
    first_cost_ = result.discounted_cost;
    for (const auto& [key, value] : point.set) keys_.push_back(key);
  }
  Column column{.names = {policy}, .result = {}, .quantiles = {}, .difference = {}};
  for (const auto& [key, value] : point.set) column.names.push_back(value);
  for (const double q : quantiles_) column.quantiles.push_back(result.quantile(q));
  column.difference = difference_from_first(result.discounted_cost);
  result.discounted_cost = {};
  column.result = std::move(result);
  columns_.push_back(std::move(column));
}

template <class Cell>
void SimulationReport::add_row(TextTable& table, const std::string& name, const Cell& cell) const {
  std::vector<std::string> row = {name};
  for (const Column& column : columns_) row.push_back(cell(column));
  table.add(std::move(row));
}

nlohmann::json SimulationReport::last_as_json() const {
  const Column& column = columns_.back();
  const inventory::SimulationResult& r = column.result;
  nlohmann::json quantiles = nlohmann::json::object();
  for (std::size_t k = 0; k < quantiles_.size(); ++k) {
    quantiles[fmt::format("{}", quantiles_[k])] = column.quantiles[k];
  }
  nlohmann::json document = {{"policy", column.names.front()},
                             {"mean", r.mean},
                             {"standard_error", r.standard_error},
                             {"quantiles", std::move(quantiles)},
                             {"stock_by_age", r.stock_by_age}};
  document.update(nlohmann::json(report::rates_of(r)));
  if (columns_.size() > 1) {
    document["difference"] = {{"mean", column.difference.mean},
                              {"standard_error", column.difference.standard_error}};
  }
  return document;
}

void SimulationReport::add_discounted_cost(TextTable& table) const {
  table.add({"discounted cost per replication"});
  add_row(table, "  mean", [](const Column& c) { return fmt::format("{:.3f}", c.result.mean); });
  add_row(table, "  standard error of the mean",
          [](const Column& c) { return fmt::format("{:.3f}", c.result.standard_error); });
  for (std::size_t k = 0; k < quantiles_.size(); ++k) {
    add_row(table, fmt::format("  {:g} % quantile", 100 * quantiles_[k]),
            [&](const Column& c) { return fmt::format("{:.3f}", c.quantiles[k]); });
  }
  if (columns_.size() == 1) return;
  add_row(table, "  difference from the first policy",
          [](const Column& c) { return fmt::format("{:.3f}", c.difference.mean); });
  add_row(table, "  standard error of the difference",
          [](const Column& c) { return fmt::format("{:.3f}", c.difference.standard_error); });
}

void SimulationReport::add_rates(TextTable& table) const {
  using Result = inventory::SimulationResult;
  const auto add_number = [&](const char* name, double Result::*number) {
    add_row(table, name, [&](const Column& c) { return fmt::format("{:.3f}", c.result.*number); });
  };
  const auto add_percent = [&](const char* name, double Result::*number) {
    add_row(table, name,
            [&](const Column& c) { return fmt::format("{:.2f} %", 100 * c.result.*number); });
  };
  table.add({"cost per period"});
  add_number("  total", &Result::cost_per_period);
  add_number("  orders", &Result::order_cost_per_period);
  const auto pays_by_unit = [](const Column& c) { return c.result.unit_cost_per_period > 0.0; };
  if (std::ranges::any_of(columns_, pays_by_unit)) {
    add_number("  units ordered", &Result::unit_cost_per_period);
  }
  add_number("  holding", &Result::holding_cost_per_period);
  add_number("  shortage", &Result::shortage_cost_per_period);
  add_number("  wastage", &Result::wastage_cost_per_period);
  table.add({"service"});
  add_percent("  demand met", &Result::service_level);
  add_percent("  periods short of stock", &Result::periods_short);
  add_number("  units short per period", &Result::shortage_rate);
  table.add({"wastage"});
  add_number("  units expired per period", &Result::wastage_rate);
  add_percent("  share of units received", &Result::wasted_fraction);
  table.add({"orders and stock"});
  add_percent("  periods with an order", &Result::order_frequency);
  add_number("  units per order", &Result::mean_order);
  add_number("  units in stock after delivery", &Result::mean_stock);
}

void SimulationReport::add_stock_by_age(TextTable& table) const {
  std::size_t ages = 0;
  for (const Column& column : columns_) ages = std::max(ages, column.result.stock_by_age.size());
  for (std::size_t i = 0; i < ages; ++i) {
    add_row(table, fmt::format("    with {} period{} left", i + 1, i == 0 ? "" : "s"),
            [&](const Column& c) {
              const std::vector<double>& stock = c.result.stock_by_age;
              return i < stock.size() ? fmt::format("{:.3f}", stock[i]) : "";
            });
  }
}

std::string SimulationReport::text() const {
  TextTable table(TextTable::Align::first_left);
  add_row(table, "policy", [](const Column& c) { return c.names.front(); });
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    add_row(table, keys_[k], [&](const Column& c) { return c.names[k + 1]; });
  }
  add_discounted_cost(table);
  add_rates(table);
  add_stock_by_age(table);
  return table.text();
}

}  // namespace shortfall::app
