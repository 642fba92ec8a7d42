// The grammar of the command line. All of it is here, because this one header is slow to compile.
#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "inventory_help.hpp"
#include "option_checks.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {
namespace {

/// An argument that is there but empty is a slip of the shell, never meant.
const CLI::Validator not_empty(
    [](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); }, "");

void add_loss(CLI::App& command, std::string& loss) {
  command.add_option("--loss", loss, "The loss, such as expectile:0.9")->required();
}

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document instead of text");
  command.add_option("--seed", options.seed, "Seed of all randomness")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()).description(""))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Number of threads; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_risk(CLI::App& app, RiskOptions& options) {
  CLI::App& command = *app.add_subcommand("risk", "The shortfall risk of a list of costs");
  add_loss(command, options.loss);
  command
      .add_option("file", options.file,
                  "A column of numbers, or CSV with value,probability; -: standard input")
      ->capture_default_str();
  add_common(command, options);
  command.footer("Example: printf '1\\n2\\n3\\n4\\n5\\n' | shortfall risk --loss expectile:0.25");
}

void add_solver(CLI::App& command, SolverCommandOptions& options) {
  command
      .add_option("model", options.model,
                  "CSV: idstatefrom,idaction,idstateto,probability and cost or reward; ids from 0 "
                  "or 1; -: standard input")
      ->required();
  add_loss(command, options.loss);
  command.add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
      ->required()
      ->check(not_empty);
  command.add_option("--tolerance", options.tolerance, "Certified error allowed in any state")
      ->capture_default_str();
  CLI::Option* horizon =
      command.add_option("--horizon", options.horizon, "Number of stages; without it, infinite")
          ->check(CLI::Range(1, 100000000));
  command.add_option("--max-iterations", options.max_iterations, "Give up after this many")
      ->capture_default_str()
      ->excludes(horizon);
  command.add_flag("--trace", options.trace, "Add the error bound of every iteration to the JSON")
      ->excludes(horizon);
  add_common(command, options);
}

CLI::Option* add_policy(CLI::App& command, PolicyOptions& options) {
  command
      .add_option("--induced-cost", options.induced_cost,
                  "Cost of a randomised policy: averaged over its actions, or their mixture, so "
                  "that the choice itself is a risk")
      ->check(CLI::IsMember({"averaged", "mixture"}))
      ->capture_default_str();
  return command.add_option("--policy", options.file,
                            "CSV: idstate,idaction, or idstate,idaction,probability");
}

void add_solve(CLI::App& app, SolveOptions& options) {
  CLI::App& command = *app.add_subcommand("solve", "The optimal policy of a model, exactly");
  add_solver(command, options);
  command.add_option("--method", options.method, "How to get there")
      ->check(CLI::IsMember(
          {"policy-iteration", "modified-policy-iteration", "value-iteration", "gauss-seidel"}))
      ->capture_default_str()
      ->excludes("--horizon");
  command
      .add_option("--policy-out", options.policy_out,
                  "Write the policy to this CSV file, the best found where not converged; with "
                  "--horizon by stages to go")
      ->check(not_empty);
  command.footer(
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9\n"
      "         --policy-out policy.csv");
}

void add_evaluate(CLI::App& app, EvaluateOptions& options) {
  CLI::App& command = *app.add_subcommand("evaluate", "What a given policy is worth, exactly");
  add_solver(command, options);
  add_policy(command, options.policy)->required();
  command.add_option("--method", options.method, "How to get there")
      ->check(CLI::IsMember({"newton", "sweeps"}))
      ->capture_default_str()
      ->excludes("--horizon");
  command.footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App& command =
      *app.add_subcommand("check", "Whether the online algorithms are guaranteed to converge");
  command.add_option("file", options.file, "A model (CSV) or a configuration (TOML)")->required();
  command.add_option("--loss", options.loss, "The loss; default: that of the configuration");
  command.add_option("--gamma", options.gamma, "Discount; default: that of the configuration");
  add_policy(command, options.policy);
  add_common(command, options);
  command.footer("Example: shortfall check examples/forest.csv --loss expectile:0.4 --gamma 0.6");
}

/// An option that would have no effect with the algorithm asked for is a misunderstanding.
void check_fits_algorithm(const CLI::App& command, const LearnOptions& options) {
  const auto refuse_unless = [&](bool fits, const char* name, const char* accepted) {
    if (fits || command.count(name) == 0) return;
    refuse(fmt::format("{} with --algorithm {}", name, options.algorithm), accepted);
  };
  const bool newton = options.algorithm == "newton";
  refuse_unless(options.algorithm == "td-lambda", "--lambda", "--algorithm td-lambda");
  refuse_unless(newton, "--warmup", "--algorithm newton");
  for (const char* const name : {"--step", "--average-from"}) {
    refuse_unless(!newton, name, "--algorithm td or td-lambda");
  }
  refuse_unless(!options.checkpoint.empty(), "--checkpoint-every", "--checkpoint FILE with it");
}

void add_learn(CLI::App& app, LearnOptions& options) {
  CLI::App& command =
      *app.add_subcommand("learn", "What a policy is worth, online, from a stream of transitions");
  command
      .add_option("file", options.file,
                  "CSV with header x1,..,xd,y1,..,yd,cost[,terminal], or NDJSON with keys x, y, "
                  "cost[, terminal]: features now, features next; -: standard input")
      ->capture_default_str();
  add_loss(command, options.loss);
  command.add_option("--gamma", options.gamma, "Discount factor; 1 where episodes end")
      ->required()
      ->check(not_empty);
  command.add_option("--algorithm", options.algorithm, "td, td-lambda or newton")
      ->required()
      ->check(CLI::IsMember({"td", "td-lambda", "newton"}));
  command.add_option("--lambda", options.lambda, "Trace parameter of td-lambda, 0 to 1")
      ->check(not_empty)
      ->capture_default_str();
  command
      .add_option("--step", options.step,
                  "Step size of td and td-lambda: B1,B2,DELTA for B1/(n+B2)^DELTA, or a constant")
      ->capture_default_str();
  command
      .add_option("--average-from", options.average_from,
                  "Report the mean of td's weights after this many updates, not the last ones")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62).description(""));
  command
      .add_option("--warmup", options.warmup,
                  "Samples before newton's first step, at least d; default: 500 or 10 d")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  command
      .add_option("--checkpoint", options.checkpoint,
                  "Keep the state in this file, and go on from it where it exists")
      ->check(not_empty);
  command.add_option("--checkpoint-every", options.checkpoint_every, "Seconds between checkpoints")
      ->capture_default_str();
  command.add_flag("--skip-bad-rows", options.skip_bad_rows,
                   "Count and pass over rows that cannot be read");
  add_common(command, options);
  command.footer(
      "Example: shortfall learn examples/boyan_stream.csv --loss mean --gamma 1 --algorithm "
      "newton\n"
      "         --warmup 50 --checkpoint state.ckpt");
}

/// An option that may be repeated, each time with one value.
template <class T>
CLI::Option* add_repeated(CLI::App& command, const std::string& name, std::vector<T>& values,
                          const std::string& help) {
  return command.add_option(name, values, help)->allow_extra_args(false)->check(not_empty);
}

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
      ->check(not_empty);
}

/// A count, from 1 to `most`.
void add_count(CLI::App& command, const std::string& name, std::uint64_t& value, std::uint64_t most,
               const std::string& help) {
  command.add_option(name, value, help)
      ->check(CLI::Range(std::uint64_t{1}, most))
      ->capture_default_str();
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
  add_count(command, "--samples", options.samples, inventory::most_periods,
            "Simulated periods of an evaluation, after 5000 that set its scales");
  add_count(command, "--trajectories", options.trajectories, 1'000'000,
            "Paths that share the samples; their weights are averaged");
  add_count(command, "--warmup", options.warmup, inventory::most_periods,
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
      ->check(not_empty);
  command.footer(train_footer);
}

void add_inventory_simulate(CLI::App& inventory, InventorySimulateOptions& options) {
  CLI::App& command =
      *inventory.add_subcommand("simulate", "What happens under given orders, by simulation");
  add_inventory_options(command, options);
  add_orders(command, options.policies, "optimal, static, myopic, risk-neutral")
      ->capture_default_str();
  add_count(command, "--periods", options.periods, inventory::most_periods,
            "Periods of each replication");
  add_count(command, "--replications", options.replications, inventory::most_replications,
            "Histories, each from an empty stock");
  command.add_option("--quantiles", options.quantiles, "Levels, between commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command.footer(simulate_footer);
}

/// The first word must be a command or an option such as --help; so must the second be where the
/// first has commands of its own.
void check_command_word(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.starts_with("-")) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    if (word != names.back()) continue;
    if (!command->get_subcommands({}).empty()) check_command_word(*command, argc - 1, argv + 1);
    return;
  }
  throw InvalidInput(fmt::format(
      "{}; accepted: {}{}", word.empty() ? "no command" : fmt::format("no command '{}'", word),
      app.get_name() == "shortfall" ? "" : app.get_name() + " ", fmt::join(names, ", ")));
}

/// The words of the command line that name the command: "inventory solve".
std::string command_words(const CLI::App& app) {
  std::string words;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    words += (words.empty() ? "" : " ") + at->get_name();
  }
  return words;
}

}  // namespace

std::optional<Command> parse_arguments(int argc, char** argv) {
  CLI::App app{
      "Decisions under risk: what a policy is worth in a Markov decision process when bad "
      "outcomes\n"
      "weigh more than good ones, by dynamic shortfall risk.",
      "shortfall"};
  app.set_version_flag("--version", SHORTFALL_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Losses: mean, expectile:TAU, entropic:BETA, truncated-entropic:BETA,BOUND,\n"
      "        soft-quantile:MU,KAPPA, piecewise:X1:Y1,X2:Y2,...\n"
      "A loss acts on costs: larger is worse.\n\n"
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9");
  RiskOptions risk;
  SolveOptions solve;
  EvaluateOptions evaluate;
  CheckOptions condition;
  LearnOptions learn;
  add_risk(app, risk);
  add_solve(app, solve);
  add_evaluate(app, evaluate);
  add_check(app, condition);
  add_learn(app, learn);
  InventorySolveOptions inventory_solve;
  InventoryEvaluateOptions inventory_evaluate;
  InventoryTrainOptions inventory_train;
  InventorySimulateOptions inventory_simulate;
  CLI::App& inventory = *app.add_subcommand("inventory", "Perishable stock: what to order");
  inventory.require_subcommand(1);
  inventory.footer(
      "Example: shortfall inventory solve examples/platelets.toml --policy-out orders.csv");
  add_inventory_solve(inventory, inventory_solve);
  add_inventory_evaluate(inventory, inventory_evaluate);
  add_inventory_train(inventory, inventory_train);
  add_inventory_simulate(inventory, inventory_simulate);
  check_command_word(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" of code 0 that print to standard output.
    if (error.get_exit_code() != 0) {
      throw InvalidInput(
          fmt::format("{}; accepted: see shortfall {} --help", error.what(), command_words(app)));
    }
    app.exit(error);
    return std::nullopt;
  }
  const auto checked = [](const auto& options) {
    check(options);
    return Command(options);
  };
  if (app.got_subcommand("risk")) return checked(risk);
  if (app.got_subcommand("solve")) return checked(solve);
  if (app.got_subcommand("evaluate")) return checked(evaluate);
  if (app.got_subcommand("check")) return checked(condition);
  if (inventory.got_subcommand("solve")) return checked(inventory_solve);
  if (inventory.got_subcommand("evaluate")) return checked(inventory_evaluate);
  if (inventory.got_subcommand("train")) return checked(inventory_train);
  if (inventory.got_subcommand("simulate")) return checked(inventory_simulate);
  check_fits_algorithm(*app.get_subcommand("learn"), learn);
  return checked(learn);
}

}  // namespace shortfall::app
