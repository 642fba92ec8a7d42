#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_policy.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/policy_simulation.hpp"
#include "apps/shortfall/simulation_report.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "require.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {
namespace {

struct InventorySimulateOptions : InventoryOptions, SimulationSize {
  std::vector<std::string> policies = {"optimal"};
  std::vector<double> quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
};

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
  for (const std::string& name : options.policies) check_rule_name(name, "--policy");
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
      for (const std::string& name : options.policies) {
        const Stopwatch of_policy;
        const ChosenOrders chosen = chosen_orders(name, point, solver, options.threads);
        outcomes.push_back(chosen.outcome);
        report.add(
            point, name,
            simulate_orders(point.configuration, chosen.orders, {options, options}, name, watch));
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
