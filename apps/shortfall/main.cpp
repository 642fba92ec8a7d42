#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"
#include "shortfall/error.hpp"
#include "shortfall/io/atomic_file.hpp"

namespace {

using namespace shortfall::app;

int complain(const char* message, ExitCode code) {
  fmt::print(stderr, "shortfall: {}\n", message);
  return code;
}

/// The first word must be a command or an option such as --help.
void check_command_word(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.starts_with("-")) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw shortfall::InvalidInput(fmt::format(
      "{}; accepted: {}", word.empty() ? "no command" : fmt::format("no command '{}'", word),
      fmt::join(names, ", ")));
}

int run_application(int argc, char** argv) {
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
  Run run;
  add_risk_command(app, run);
  add_solve_command(app, run);
  add_evaluate_command(app, run);
  add_check_command(app, run);
  check_command_word(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" of code 0 that print to standard output.
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(fmt::format("{} (see shortfall --help)", error.what()).c_str(), bad_input);
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_application(argc, argv);
  } catch (const shortfall::InvalidInput& error) {
    return complain(error.what(), bad_input);
  } catch (const shortfall::io::OutputError& error) {
    return complain(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", no_answer);
  } catch (const std::exception& error) {
    return complain(error.what(), no_answer);
  }
}
