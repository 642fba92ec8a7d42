#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "command.hpp"
#include "grammar.hpp"
#include "option_checks.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {

namespace {

/// The library takes what is beyond 64 bits for the largest number there is.
CLI::Validator seed_in_digits() {
  return {[](std::string& text) {
            std::uint64_t seed = 0;
            const char* const end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, seed);
            if (error == std::errc() && rest == end) return std::string();
            return fmt::format("Value {} not in range 0 to {}", text,
                               std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

}  // namespace

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document instead of text");
  command.add_option("--seed", options.seed, "Seed of all randomness")
      ->check(seed_in_digits())
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Number of threads; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_count(CLI::App& command, const std::string& name, std::uint64_t& value, std::uint64_t most,
               const std::string& help) {
  command.add_option(name, value, help)
      ->check(CLI::Range(std::uint64_t{1}, most))
      ->capture_default_str();
}

CLI::Option* add_repeated(CLI::App& command, const std::string& name,
                          std::vector<std::string>& values, const std::string& help) {
  return command.add_option(name, values, help)->allow_extra_args(false)->check(not_empty());
}

namespace {

void add_loss(CLI::App& command, std::string& loss) {
  command.add_option("--loss", loss, "The loss, such as expectile:0.9")->required();
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
      ->check(not_empty());
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
      ->check(not_empty());
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
      ->check(not_empty());
  command.add_option("--algorithm", options.algorithm, "td, td-lambda or newton")
      ->required()
      ->check(CLI::IsMember({"td", "td-lambda", "newton"}));
  command.add_option("--lambda", options.lambda, "Trace parameter of td-lambda, 0 to 1")
      ->check(not_empty())
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
      ->check(not_empty());
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

void add_reproduce(CLI::App& app, ReproduceOptions& options) {
  CLI::App& command =
      *app.add_subcommand("reproduce", "The published tables and figures, computed anew");
  command
      .add_option(
          "names", options.names,
          "all, or some of table-m3, table-m5, table-runtime, figure-expectile,\n"
          "figure-soft-quantile, figure-policies, figure-gaps, figure-costs, counterexample")
      ->required();
  command.add_option("--out", options.out, "Directory of what they write")
      ->check(not_empty())
      ->capture_default_str();
  command.add_flag("--quick", options.quick, "Fewer runs, iterations and settings: a minute");
  command.add_flag("--fresh", options.fresh, "Compute again what the directory holds already");
  add_common(command, options);
  command.footer(
      "Each writes OUT/NAME.json, published numbers beside ours, and OUT/csv/NAME-TABLE.csv; all\n"
      "also writes OUT/report.html, a page to look at, and OUT/reproduction.md. A run that was\n"
      "stopped goes on where it was when it is started again; what is there already, of the same\n"
      "scale, seed and version, is kept.\n\n"
      "JSON: out, scale, seed, studies (each: study, file, confirmed, refuted, open), report\n\n"
      "Example: shortfall reproduce all --out reproduction");
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
  const InventoryGrammar inventory(app);
  ReproduceOptions reproduce;
  add_reproduce(app, reproduce);
  check_command_word(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" of code 0 that print to standard output.
    if (error.get_exit_code() != 0) {
      throw InvalidInput(
          fmt::format("{}; accepted: see shortfall {} --help", error.what(), command_words(app)));
    }
    std::ostringstream text;
    app.exit(error, text, text);
    print(text.str());
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
  if (app.got_subcommand("reproduce")) return checked(reproduce);
  if (auto command = inventory.command()) return command;
  check_fits_algorithm(*app.get_subcommand("learn"), learn);
  return checked(learn);
}

}  // namespace shortfall::app
