#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "errors/require.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"

namespace shortfall::app {
namespace {

/// Simulation results of several policies side by side, each compared with the first.
class SimulationReport {
 public:
  explicit SimulationReport(std::vector<double> quantiles) : quantiles_(std::move(quantiles)) {}

  void add(const InventoryPoint& point, const std::string& policy,
           inventory::SimulationResult result);

  nlohmann::json last_as_json() const;
  std::string text() const;

 private:
  /// Difference of the mean discounted cost from the first column, paired by replication because
  /// all columns use identical random draws.
  struct Difference {
    double mean = 0.0;
    double standard_error = 0.0;
  };
  struct Column {
    std::vector<std::string> names;  ///< the policy, then the swept values
    inventory::SimulationResult result;
    std::vector<double> quantiles;
    Difference difference;
  };
  Difference difference_from_first(const std::vector<double>& cost) const;
  template <class Cell>
  void add_row(TextTable& table, const std::string& name, const Cell& cell) const;
  void add_discounted_cost(TextTable& table) const;
  void add_rates(TextTable& table) const;
  void add_stock_by_age(TextTable& table) const;

  std::vector<double> quantiles_;
  std::vector<std::string> keys_;  // swept keys
  std::vector<Column> columns_;
  std::vector<double> first_cost_;
};

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
  nlohmann::json quantiles = nlohmann::json::object();
  for (std::size_t k = 0; k < quantiles_.size(); ++k) {
    quantiles[fmt::format("{}", quantiles_[k])] = column.quantiles[k];
  }
  nlohmann::json document = {{"policy", column.names.front()}, {"quantiles", std::move(quantiles)}};
  add_result(document, column.result);
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

struct InventorySimulateOptions : InventoryOptions, SimulationSize {
  std::vector<std::string> policies = {"optimal"};
  std::vector<double> quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
};

/// Simulates orders and shows progress under `name`. Throws Stopped.
inventory::SimulationResult simulate_orders(const InventorySimulateOptions& options,
                                            const io::InventoryConfiguration& configuration,
                                            const Policy& orders, const std::string& name,
                                            CommandMonitor& watch) {
  inventory::SimulationResult result =
      inventory::simulate(configuration.model, orders,
                          {.periods = options.periods,
                           .replications = options.replications,
                           .gamma = configuration.criterion.gamma,
                           .seed = options.seed},
                          {.threads = options.threads, .monitor = watch.monitor(name)});
  watch.check();
  return result;
}

void check_quantiles(const std::vector<double>& quantiles) {
  for (const double q : quantiles) {
    require(q >= 0.0 && q <= 1.0,
            "--quantiles has {}{}; accepted: numbers from 0 to 1, such as 0.05,0.5,0.95", q,
            percent_hint(q));
  }
}

nlohmann::json simulation_json(const InventorySimulateOptions& options, const InventoryPoint& point,
                               std::vector<nlohmann::json> policies) {
  nlohmann::json document = as_json(point);
  document["periods"] = options.periods;
  document["replications"] = options.replications;
  document["seed"] = options.seed;
  if (policies.size() == 1) {
    document.update(policies.front());
  } else {
    document["policies"] = std::move(policies);
  }
  return document;
}

ExitCode run_inventory_simulate(const InventorySimulateOptions& options) {
  const std::vector<inventory::Rule> rules = parse_rules(options.policies, "--policy");
  const std::vector<InventoryPoint> points = inventory_points(options);
  const Stopwatch stopwatch;
  std::vector<Outcome> outcomes;
  std::vector<nlohmann::json> documents;
  SimulationReport report(options.quantiles);
  {
    CommandMonitor watch;
    InventorySolver solver(options, watch);
    for (const InventoryPoint& point : points) {
      std::vector<nlohmann::json> policies;
      for (const inventory::Rule& rule : rules) {
        const Stopwatch of_policy;
        const ChosenOrders chosen = chosen_orders(rule, point, solver, options.threads);
        outcomes.push_back(chosen.outcome);
        report.add(point, rule.name,
                   simulate_orders(options, point.configuration, chosen.orders, rule.name, watch));
        policies.push_back(report.last_as_json());
        policies.back()["seconds"] = of_policy.seconds();
      }
      documents.push_back(simulation_json(options, point, std::move(policies)));
    }
  }
  if (options.json) {
    print_json(document_of(options, std::move(documents), stopwatch.seconds()));
  } else {
    print(
        fmt::format("{}{} replications of {} periods from an empty stock, seed {};\n"
                    "identical random demand and deliveries for all policies\n\n{}",
                    heading(options, points.front()), options.replications, options.periods,
                    options.seed, report.text()));
  }
  return exit_code_of(options, outcomes);
}

}  // namespace

void add_inventory_simulate(const CommandGroup& group) {
  const auto options = std::make_shared<InventorySimulateOptions>();
  const Grammar grammar = group.add("simulate", "Simulate given ordering policies",
                                    [options] { return run_inventory_simulate(*options); });
  add_inventory_options(grammar, *options, Randomness::seeded);
  add_orders(grammar, *options, {"--policy", "optimal, static, myopic, risk-neutral"},
             options->policies)
      ->capture_default_str();
  add_simulation_size(grammar, *options);
  add_numbers(grammar, "--quantiles", options->quantiles,
              "Quantile levels from 0 to 1, separated by commas");
  grammar.add_check([options] { check_quantiles(options->quantiles); });
  grammar->footer(
      "JSON: mean, standard_error and quantiles (by level) of the discounted cost; per period\n"
      "      cost_per_period and its four parts, shortage_rate, wastage_rate, periods_short,\n"
      "      order_frequency, mean_stock, stock_by_age; service_level, wasted_fraction,\n"
      "      mean_order; difference (mean, standard_error) from the first policy, on identical\n"
      "      random demand and deliveries; with several policies, a list policies\n\n"
      "Example: shortfall inventory simulate examples/platelets.toml --policy optimal\n"
      "         --policy static --periods 1000");
}

}  // namespace shortfall::app
