#include "apps/shortfall/arguments.hpp"

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

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {

namespace {

/// CLI11 itself clamps seeds that do not fit into 64 bits.
CLI::Validator valid_seed() {
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

void add_common(CLI::App& command, CommonOptions& options, Randomness randomness) {
  command.add_flag("--json", options.json, "Print one JSON document instead of text");
  CLI::Option* seed = command.add_option("--seed", options.seed, "Seed of the random numbers")
                          ->check(valid_seed())
                          ->capture_default_str();
  if (randomness == Randomness::none) seed->group("");  // accepted, but not listed in the help
  command.add_option("--threads", options.threads, "Number of threads, at most 1024; 0: all cores")
      ->check(CLI::Range(0, 1024).description(""))
      ->capture_default_str();
}

void add_count(CLI::App& command, const std::string& name, std::uint64_t& value, std::uint64_t most,
               const std::string& help) {
  command.add_option(name, value, help)
      ->check(CLI::Range(std::uint64_t{1}, most).description(""))
      ->capture_default_str();
}

CLI::Option* add_repeated(CLI::App& command, const std::string& name,
                          std::vector<std::string>& values, const std::string& help) {
  return command.add_option(name, values, help)->allow_extra_args(false)->check(not_empty());
}

namespace {

void add_loss(CLI::App& command, std::string& loss) {
  command.add_option("--loss", loss, "Loss function, such as expectile:0.9")->required();
}

void add_risk(CLI::App& app, RiskOptions& options) {
  CLI::App& command = *app.add_subcommand("risk", "Compute the shortfall risk of a list of costs");
  add_loss(command, options.loss);
  command
      .add_option("file", options.file,
                  "A column of numbers, or CSV with value,probability; -: standard input")
      ->capture_default_str();
  add_common(command, options, Randomness::none);
  command.footer("Example: printf '1\\n2\\n3\\n4\\n5\\n' | shortfall risk --loss expectile:0.25");
}

void add_solver(CLI::App& command, SolverCommandOptions& options) {
  command
      .add_option("model", options.model,
                  "CSV with columns idstatefrom,idaction,idstateto,probability and cost or reward; "
                  "ids start at 0 or 1; -: standard input")
      ->required();
  add_loss(command, options.loss);
  command.add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
      ->required()
      ->check(not_empty());
  command
      .add_option("--tolerance", options.tolerance, "Largest certified error allowed in any state")
      ->capture_default_str();
  CLI::Option* horizon =
      command.add_option("--horizon", options.horizon, "Number of stages; default: infinite")
          ->check(CLI::Range(1, 100000000).description(""));
  command.add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str()
      ->excludes(horizon);
  command.add_flag("--trace", options.trace, "Add the error bound of every iteration to the JSON")
      ->excludes(horizon);
  add_common(command, options, Randomness::none);
}

CLI::Option* add_policy(CLI::App& command, PolicyOptions& options) {
  command
      .add_option("--induced-cost", options.induced_cost,
                  "Cost of a randomised policy: averaged over its actions, or the mixture of their "
                  "costs, so that the choice of action adds risk")
      ->check(CLI::IsMember({"averaged", "mixture"}))
      ->capture_default_str();
  return command.add_option("--policy", options.file,
                            "CSV with columns idstate,idaction or idstate,idaction,probability");
}

void add_solve(CLI::App& app, SolveOptions& options) {
  CLI::App& command = *app.add_subcommand("solve", "Compute the optimal policy of a model exactly");
  add_solver(command, options);
  command.add_option("--method", options.method, "Solution method")
      ->check(CLI::IsMember(
          {"policy-iteration", "modified-policy-iteration", "value-iteration", "gauss-seidel"}))
      ->capture_default_str()
      ->excludes("--horizon");
  command
      .add_option("--policy-out", options.policy_out,
                  "Write the policy to this CSV file: the best one found if not converged; with "
                  "--horizon, by number of remaining stages")
      ->check(not_empty());
  command.footer(
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9\n"
      "         --policy-out policy.csv");
}

void add_evaluate(CLI::App& app, EvaluateOptions& options) {
  CLI::App& command = *app.add_subcommand("evaluate", "Compute the exact value of a given policy");
  add_solver(command, options);
  add_policy(command, options.policy)->required();
  command.add_option("--method", options.method, "Solution method")
      ->check(CLI::IsMember({"newton", "sweeps"}))
      ->capture_default_str()
      ->excludes("--horizon");
  command.footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "check", "Check whether the online algorithms are guaranteed to converge");
  command.add_option("file", options.file, "Model (CSV) or inventory configuration (TOML)")
      ->required();
  command.add_option("--loss", options.loss, "Loss function; default: from the configuration");
  command.add_option("--gamma", options.gamma, "Discount factor; default: from the configuration");
  add_policy(command, options.policy);
  add_common(command, options, Randomness::none);
  command.footer("Example: shortfall check examples/forest.csv --loss expectile:0.4 --gamma 0.6");
}

/// Rejects options that have no effect with the chosen algorithm.
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
  refuse_unless(!options.checkpoint.empty(), "--checkpoint-every",
                "it together with --checkpoint FILE");
}

void add_learn(CLI::App& app, LearnOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "learn", "Learn the value of a policy online from a stream of transitions");
  command
      .add_option("file", options.file,
                  "One transition per line: CSV with header x1,..,xd,y1,..,yd,cost[,terminal], or "
                  "NDJSON with keys x, y, cost[, terminal]; x: current features, y: next features; "
                  "-: standard input")
      ->capture_default_str();
  add_loss(command, options.loss);
  command.add_option("--gamma", options.gamma, "Discount factor in [0, 1]; 1 only if episodes end")
      ->required()
      ->check(not_empty());
  command.add_option("--algorithm", options.algorithm, "td, td-lambda or newton")
      ->required()
      ->check(CLI::IsMember({"td", "td-lambda", "newton"}));
  command.add_option("--lambda", options.lambda, "Trace parameter of td-lambda, from 0 to 1")
      ->check(not_empty())
      ->capture_default_str();
  command
      .add_option("--step", options.step,
                  "Step size of td and td-lambda: B1,B2,DELTA for B1/(n+B2)^DELTA, or a constant")
      ->capture_default_str();
  command
      .add_option(
          "--average-from", options.average_from,
          "Report the mean of td's weights after this many updates instead of the last weights")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62).description(""));
  command
      .add_option(
          "--warmup", options.warmup,
          "Samples before newton's first step, at least d; default: the larger of 500 and 10 d")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
  command
      .add_option("--checkpoint", options.checkpoint,
                  "Save the state to this file, and resume from it if it exists")
      ->check(not_empty());
  command.add_option("--checkpoint-every", options.checkpoint_every, "Seconds between checkpoints")
      ->capture_default_str();
  command.add_flag("--skip-bad-rows", options.skip_bad_rows,
                   "Skip and count rows that cannot be read");
  add_common(command, options, Randomness::none);
  command.footer(
      "Example: shortfall learn examples/boyan_stream.csv --loss mean --gamma 1 --algorithm "
      "newton\n"
      "         --warmup 50 --checkpoint state.ckpt");
}

void add_reproduce(CLI::App& app, ReproduceOptions& options) {
  CLI::App& command =
      *app.add_subcommand("reproduce", "Recompute the published tables and figures");
  command
      .add_option(
          "names", options.names,
          "all, or one or more of table-m3, table-m5, table-runtime, figure-expectile,\n"
          "figure-soft-quantile, figure-policies, figure-gaps, figure-costs, counterexample")
      ->required();
  command.add_option("--out", options.out, "Output directory")
      ->check(not_empty())
      ->capture_default_str();
  command.add_flag("--quick", options.quick,
                   "Fewer runs, iterations and settings; takes about two minutes");
  command.add_flag("--fresh", options.fresh, "Recompute results that are already in the directory");
  add_common(command, options, Randomness::seeded);
  command.footer(
      "Each study writes OUT/NAME.json, published numbers beside ours, and its tables as\n"
      "OUT/csv/NAME-TABLE.csv; all also writes an HTML report, OUT/report.html, and\n"
      "OUT/reproduction.md. A run that was stopped resumes when started again; results of the\n"
      "same scale, seed and version are kept.\n\n"
      "JSON: out, scale, seed, studies (each: study, file, confirmed, refuted, open), report\n\n"
      "Example: shortfall reproduce all --out reproduction");
}

/// The first argument must be a command or an option such as --help. Where the command has
/// subcommands, the same holds for the second.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name.starts_with("-")) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    if (name != names.back()) continue;
    if (!command->get_subcommands({}).empty()) check_command_name(*command, argc - 1, argv + 1);
    return;
  }
  throw InvalidInput(fmt::format(
      "{}; accepted: {}{}",
      name.empty() ? "no command given" : fmt::format("unknown command '{}'", name),
      app.get_name() == "shortfall" ? "" : app.get_name() + " ", fmt::join(names, ", ")));
}

/// The command with its subcommand: "inventory solve".
std::string full_command_name(const CLI::App& app) {
  std::string name;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return name;
}

/// What is wrong with the command line. An unknown option explains more than what CLI11 complains
/// about because of it: its value that belongs to no option, or the required option it was meant to
/// be.
std::string problem_of(const CLI::ParseError& error, const CLI::App& app) {
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  // CLI11 leaves out the names of options that are not listed, of which there is one.
  std::string message = (*error.what() == ':' ? "--seed" : "") + std::string(error.what());
  if (code == CLI::ExitCodes::ArgumentMismatch && message.ends_with(" missing")) {
    return fmt::format("{} needs a value", message.substr(0, message.find(':')));
  }
  const bool is_extra = code == CLI::ExitCodes::ExtrasError;
  if (!is_extra && code != CLI::ExitCodes::RequiredError) return message;
  const std::vector<std::string> unmatched = app.remaining(true);
  for (const std::string& argument : unmatched) {
    if (argument.size() > 1 && argument.starts_with("-")) {
      return fmt::format("unknown option {}", argument.substr(0, argument.find('=')));
    }
  }
  if (!is_extra || unmatched.empty()) return message;
  return fmt::format("unexpected argument '{}'", unmatched.front());
}

}  // namespace

std::optional<Command> parse_arguments(int argc, char** argv) {
  CLI::App app{
      "Decisions under risk: values of policies in Markov decision processes when bad outcomes\n"
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
  check_command_name(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 throws help and version as errors of code 0; they are printed to standard output.
    if (error.get_exit_code() != 0) {
      const std::string name = full_command_name(app);
      throw InvalidInput(fmt::format("{}; accepted: the options in shortfall {}--help",
                                     problem_of(error, app), name.empty() ? "" : name + " "));
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
