#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar.hpp"
#include "inventory_help.hpp"
#include "option_checks.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {
namespace {

void add_inventory_options(CLI::App& command, InventoryOptions& options) {
  command
      .add_option(
          "config", options.config,
          "The inventory, as TOML; examples/platelets.toml explains each value; -: standard "
          "input")
      ->required();
  add_repeated(command, "--set", options.set,
               "Change a value for this run, as in cost.order=80 or risk.loss=mean; risk.tau=T is "
               "short for risk.loss=expectile:T; may be repeated");
  add_repeated(command, "--sweep", options.sweep,
               "One run for each value, as in risk.tau=0.1:0.9:0.1 or cost.order=10,20,50; twice: "
               "all combinations");
  command.add_option("--tolerance", options.tolerance, "Certified error allowed in any state")
      ->capture_default_str();
  command
      .add_option(
          "--stopping", options.stopping,
          "certified, or paper: sweeps from zero until they change less than the tolerance, "
          "as in the published tables")
      ->check(CLI::IsMember({"certified", "paper"}))
      ->capture_default_str();
  command.add_option("--max-iterations", options.max_iterations, "Give up after this many")
      ->capture_default_str();
  add_common(command, options);
}

CLI::Option* add_orders(CLI::App& command, std::vector<std::string>& policies,
                        const std::string& words) {
  return add_repeated(
      command, "--policy", policies,
      words +
          ", base-stock:S (up to S), reorder:s,S (up to S once s or fewer are left), or a CSV "
          "file [day,]x1,..,order with day 0 to 6; repeated: side by side");
}

void add_policy_out(CLI::App& command, std::string& policy_out) {
  command
      .add_option("--policy-out", policy_out,
                  "Write the orders to this CSV file: [day,]x1,..,order, where x_i units have i "
                  "periods left and day is 0 (Monday) to 6; not with --sweep")
      ->check(not_empty());
}

void add_inventory_solve(CLI::App& inventory, InventorySolveOptions& options) {
  CLI::App& command = *inventory.add_subcommand("solve", "The optimal orders, exactly");
  add_inventory_options(command, options);
  add_policy_out(command, options.policy_out);
  command.footer(solve_footer);
}

void add_inventory_evaluate(CLI::App& inventory, InventoryEvaluateOptions& options) {
  CLI::App& command = *inventory.add_subcommand("evaluate", "What given orders are worth, exactly");
  add_inventory_options(command, options);
  add_orders(command, options.policies,
             "static (the optimum if nothing perished), myopic (least risk of one period), "
             "risk-neutral, optimal")
      ->required();
  command.footer(evaluate_footer);
}

void add_inventory_train(CLI::App& inventory, InventoryTrainOptions& options) {
  CLI::App& command = *inventory.add_subcommand(
      "train", "Orders learned from samples, and how far they are from the optimum");
  add_inventory_options(command, options);
  command.add_option("--algorithm", options.algorithm, "How orders are evaluated: td or newton")
      ->check(CLI::IsMember({"td", "newton"}))
      ->capture_default_str();
  add_count(command, "--iterations", options.iterations, 1'000'000,
            "Rounds of evaluation and improvement, from the myopic orders");
  add_count(command, "--samples", options.samples, inventory::max_periods,
            "Simulated periods of an evaluation, after 5000 that set its scales");
  add_count(command, "--trajectories", options.trajectories, 1'000'000,
            "Paths that share the samples; their weights are averaged");
  add_count(command, "--warmup", options.warmup, inventory::max_periods,
            "Samples of newton before weights move, in each path");
  command
      .add_option("--improvement", options.improvement,
                  "exact: over the law of demand and arrivals; sampled:S: over S simulated "
                  "periods, as where only a simulator is at hand (published: 50)")
      ->capture_default_str();
  add_policy_out(command, options.policy_out);
  command
      .add_option("--checkpoint", options.checkpoint,
                  "Save after each iteration to this file, and go on from it if it is there; "
                  "not with --sweep")
      ->check(not_empty());
  command.footer(train_footer);
}

void add_simulation_size(CLI::App& command, SimulationSize& size) {
  add_count(command, "--periods", size.periods, inventory::max_periods,
            "Periods of each replication");
  add_count(command, "--replications", size.replications, inventory::max_replications,
            "Histories, each from an empty stock");
}

void add_levels(CLI::App& command, const std::string& name, std::vector<double>& levels,
                const std::string& help) {
  command.add_option(name, levels, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
}

void add_inventory_simulate(CLI::App& inventory, InventorySimulateOptions& options) {
  CLI::App& command =
      *inventory.add_subcommand("simulate", "What happens under given orders, by simulation");
  add_inventory_options(command, options);
  add_orders(command, options.policies, "optimal, static, myopic, risk-neutral")
      ->capture_default_str();
  add_simulation_size(command, options);
  add_levels(command, "--quantiles", options.quantiles, "Levels, between commas");
  command.footer(simulate_footer);
}

void add_inventory_report(CLI::App& inventory, InventoryReportOptions& options) {
  CLI::App& command = *inventory.add_subcommand(
      "report", "A page to look at: what to order, and what to expect of it");
  add_inventory_options(command, options);
  command.add_option("--out", options.out, "The page, an HTML file that needs nothing else")
      ->required()
      ->check(not_empty());
  command.add_option("--csv", options.csv, "Write the data of its charts to this directory, too")
      ->check(not_empty());
  add_levels(command, "--levels", options.levels,
             "Attitudes to risk to compare: values of the loss's parameter, between commas");
  add_simulation_size(command, options);
  command.footer(report_footer);
}

}  // namespace

InventoryGrammar::InventoryGrammar(CLI::App& app)
    : inventory_(*app.add_subcommand("inventory", "Perishable stock: what to order")) {
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
