#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_policy.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/policy_simulation.hpp"
#include "apps/shortfall/simulation_report.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {
namespace {

nlohmann::json json_of(const InventorySimulateOptions& options, const InventoryPoint& point,
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

}  // namespace

ExitCode run(const InventorySimulateOptions& options) {
  for (const std::string& name : options.policies) check_policy_name(name);
  const std::vector<InventoryPoint> points = inventory_points(options);
  const Stopwatch stopwatch;
  std::vector<Outcome> outcomes;
  std::vector<nlohmann::json> documents;
  SimulationReport report(options.quantiles);
  {
    Progress progress;
    InventorySolver solver(options, progress);
    for (const InventoryPoint& point : points) {
      std::vector<nlohmann::json> policies;
      for (const std::string& name : options.policies) {
        const Stopwatch of_policy;
        const ChosenOrders chosen = chosen_orders(name, point, solver, options.threads);
        outcomes.push_back(chosen.outcome);
        report.add(point, name,
                   simulate_orders(point.configuration, chosen.orders, {options, options}, name,
                                   progress));
        policies.push_back(report.last_as_json());
        policies.back()["seconds"] = of_policy.seconds();
      }
      documents.push_back(json_of(options, point, std::move(policies)));
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

}  // namespace shortfall::app
