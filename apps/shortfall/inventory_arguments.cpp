#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_help.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {
namespace {

void add_inventory_options(CLI::App& command, InventoryOptions& options, Randomness randomness) {
  command
      .add_option(
          "config", options.config,
          "Inventory configuration in TOML; examples/platelets.toml explains each value; -: "
          "standard input")
      ->required();
  add_repeated(
      command, "--set", options.set,
      "Override a value for this run, such as cost.order=80 or risk.loss=mean; risk.tau=T is "
      "short for risk.loss=expectile:T; may be repeated");
  add_repeated(
      command, "--sweep", options.sweep,
      "Run once per value, such as risk.tau=0.1:0.9:0.1 or cost.order=10,20,50; given twice: "
      "all combinations");
  command
      .add_option("--tolerance", options.tolerance, "Largest certified error allowed in any state")
      ->capture_default_str();
  command
      .add_option(
          "--stopping", options.stopping,
          "certified; or paper: sweep from zero until values change by less than the tolerance, "
          "as in the published tables")
      ->check(CLI::IsMember({"certified", "paper"}))
      ->capture_default_str();
  command.add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str();
  add_common(command, options, randomness);
}

CLI::Option* add_orders(CLI::App& command, std::vector<std::string>& policies,
                        const std::string& names) {
  return add_repeated(
      command, "--policy", policies,
      names +
          ", base-stock:S (order up to S), reorder:s,S (order up to S when s or fewer are left), "
          "or a CSV file [day,]x1,..,order with day 0 to 6; repeat to compare policies");
}

void add_policy_out(CLI::App& command, std::string& policy_out) {
  command
      .add_option("--policy-out", policy_out,
                  "Write the orders to this CSV file: [day,]x1,..,order, where x_i units have i "
                  "periods left and day is 0 (Monday) to 6 (Sunday); not with --sweep")
      ->check(not_empty());
}

void add_inventory_solve(CLI::App& inventory, InventorySolveOptions& options) {
  CLI::App& command = *inventory.add_subcommand("solve", "Compute the optimal orders exactly");
  add_inventory_options(command, options, Randomness::none);
  add_policy_out(command, options.policy_out);
  command.footer(solve_footer);
}

void add_inventory_evaluate(CLI::App& inventory, InventoryEvaluateOptions& options) {
  CLI::App& command =
      *inventory.add_subcommand("evaluate", "Compute the exact cost of given ordering policies");
  add_inventory_options(command, options, Randomness::none);
  add_orders(
      command, options.policies,
      "static (optimal if nothing perished), myopic (least risk in one period), risk-neutral, "
      "optimal")
      ->required();
  command.footer(evaluate_footer);
}

void add_inventory_train(CLI::App& inventory, InventoryTrainOptions& options) {
  CLI::App& command = *inventory.add_subcommand(
      "train", "Learn orders from samples and compare them with the optimum");
  add_inventory_options(command, options, Randomness::seeded);
  command
      .add_option("--algorithm", options.algorithm,
                  "Algorithm that evaluates the orders: td or newton")
      ->check(CLI::IsMember({"td", "newton"}))
      ->capture_default_str();
  add_count(command, "--iterations", options.iterations, 1'000'000,
            "Rounds of evaluation and improvement, starting from the myopic orders");
  add_count(command, "--samples", options.samples, inventory::max_periods,
            "Simulated periods per evaluation, after 5000 that set its scales");
  add_count(command, "--trajectories", options.trajectories, 1'000'000,
            "Paths among which the samples are divided; their weights are averaged");
  add_count(command, "--warmup", options.warmup, inventory::max_periods,
            "Samples before newton's first step, in each path");
  command
      .add_option("--improvement", options.improvement,
                  "exact: over the distribution of demand and arrivals; sampled:S: over S "
                  "simulated periods, as if only a simulator were available (published: 50)")
      ->capture_default_str();
  add_policy_out(command, options.policy_out);
  command
      .add_option("--checkpoint", options.checkpoint,
                  "Save to this file after each iteration, and resume from it if it exists; not "
                  "with --sweep")
      ->check(not_empty());
  command.footer(train_footer);
}

void add_simulation_size(CLI::App& command, SimulationSize& size) {
  add_count(command, "--periods", size.periods, inventory::max_periods, "Periods per replication");
  add_count(command, "--replications", size.replications, inventory::max_replications,
            "Simulated histories, each starting from an empty stock");
}

void add_levels(CLI::App& command, const std::string& name, std::vector<double>& levels,
                const std::string& help) {
  CLI::Option* option =
      command.add_option(name, levels, help)->delimiter(',')->allow_extra_args(false);
  if (!levels.empty()) option->capture_default_str();
}

void add_inventory_simulate(CLI::App& inventory, InventorySimulateOptions& options) {
  CLI::App& command = *inventory.add_subcommand("simulate", "Simulate given ordering policies");
  add_inventory_options(command, options, Randomness::seeded);
  add_orders(command, options.policies, "optimal, static, myopic, risk-neutral")
      ->capture_default_str();
  add_simulation_size(command, options);
  add_levels(command, "--quantiles", options.quantiles,
             "Quantile levels from 0 to 1, separated by commas");
  command.footer(simulate_footer);
}

void add_inventory_report(CLI::App& inventory, InventoryReportOptions& options) {
  CLI::App& command = *inventory.add_subcommand(
      "report", "Write an HTML report: what to order, and what to expect");
  add_inventory_options(command, options, Randomness::seeded);
  command.add_option("--out", options.out, "HTML file to write; it is self-contained")
      ->required()
      ->check(not_empty());
  command.add_option("--csv", options.csv, "Also write the data of the charts to this directory")
      ->check(not_empty());
  add_levels(command, "--levels", options.levels,
             "Attitudes to risk to compare: values of the loss parameter, separated by commas; "
             "default: typical values");
  add_simulation_size(command, options);
  command.footer(report_footer);
}

}  // namespace

InventoryGrammar::InventoryGrammar(CLI::App& app)
    : inventory_(*app.add_subcommand("inventory", "Ordering policies for perishable stock")) {
  inventory_.require_subcommand(1);
  inventory_.footer(
      "Example: shortfall inventory solve examples/platelets.toml --policy-out orders.csv");
  add_inventory_solve(inventory_, solve_);
  add_inventory_evaluate(inventory_, evaluate_);
  add_inventory_train(inventory_, train_);
  add_inventory_simulate(inventory_, simulate_);
  add_inventory_report(inventory_, report_);
}

std::optional<Command> InventoryGrammar::command() const {
  const auto checked = [](const auto& options) {
    check(options);
    return Command(options);
  };
  if (inventory_.got_subcommand("solve")) return checked(solve_);
  if (inventory_.got_subcommand("evaluate")) return checked(evaluate_);
  if (inventory_.got_subcommand("train")) return checked(train_);
  if (inventory_.got_subcommand("simulate")) return checked(simulate_);
  if (inventory_.got_subcommand("report")) return checked(report_);
  return std::nullopt;
}

}  // namespace shortfall::app
