#include "apps/shortfall/program.hpp"

#include <fmt/format.h>
#include <hwy/nanobenchmark.h>
#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/output.hpp"
#include "apps/shortfall/processes.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {
namespace {

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
      name.empty() ? "no command given, see --help" : fmt::format("unknown command '{}'", name),
      app.get_parent() == nullptr ? "" : app.get_name() + " ", fmt::join(names, ", ")));
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

/// CLI11 takes the argument after "--stock=" as its value, which may be another option.
void check_values(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool is_empty = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    require(!is_empty, "{} has no value; accepted: {}VALUE, or the option left out", argument,
            argument);
  }
}

}  // namespace

const Program& shortfall_program() {
  static const Program program{
      .name = "shortfall",
      .purpose =
          "Decisions under risk: values of policies in Markov decision processes when bad "
          "outcomes\nweigh more than good ones, by dynamic shortfall risk.",
      .example = "shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9",
      .add_commands = add_commands,
      .processes = Processes()};
  return program;
}

Command parse_arguments(int argc, char** argv, const Program& program) {
  CLI::App app{program.purpose, program.name};
  app.set_version_flag("--version", fmt::format("{} {}", program.name, SHORTFALL_VERSION));
  app.require_subcommand(1);
  const auto second_line = AnyLoss::spellings.begin() + 4;
  app.footer(
      fmt::format("Losses: {},\n        {}\n"
                  "A loss acts on costs: larger is worse.\n\n"
                  "Example: {}",
                  fmt::join(AnyLoss::spellings.begin(), second_line, ", "),
                  fmt::join(second_line, AnyLoss::spellings.end(), ", "), program.example));
  Command chosen;
  Vocabulary vocabulary;
  program.add_commands(CommandGroup(app, chosen, vocabulary, program.processes));
  // CLI11 prints the text of this error, as it does for --version.
  app.add_flag_callback(
      "--grammar",
      [&] { throw CLI::CallForVersion(grammar_document(app, vocabulary, SHORTFALL_VERSION), 0); },
      "Print all commands, options and keys as one JSON document and exit");
  check_command_name(app, argc, argv);
  check_values(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 throws help and version as errors of code 0; they are printed to standard output.
    if (error.get_exit_code() != 0) {
      const std::string name = full_command_name(app);
      throw InvalidInput(fmt::format("{}; accepted: the options in {} {}--help",
                                     problem_of(error, app), program.name,
                                     name.empty() ? "" : name + " "));
    }
    std::ostringstream text;
    app.exit(error, text, text);
    if (program.processes.is_first()) print(text.str());
    return {};
  }
  return chosen;
}

namespace {

constexpr auto out_of_memory = "out of memory";  // short enough for a string without allocation

std::terminate_handler usual_end = nullptr;
std::atomic<bool> memory_ran_out = false;

/// As without such a function, but it is known afterwards.
void note_lack_of_memory() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

/// Code that was compiled without handlers, as some of simdjson, ends without a current exception.
bool lost_exception_is_bad_alloc() {
  try {
    if (std::current_exception()) throw;
    return memory_ran_out;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_by_lost_exception() {
  if (lost_exception_is_bad_alloc()) {
    print_error(out_of_memory);
    std::_Exit(no_answer);
  }
  usual_end();
  std::abort();
}

}  // namespace

ProgramEnd end_by_exception() try {
  try {
    throw;
  } catch (const InvalidInput& error) {
    // Streams hide that memory ran out: toml++ then takes a number for none.
    if (memory_ran_out) return {no_answer, out_of_memory};
    return {bad_input, error.what()};
  } catch (const io::OutputError& error) {
    return {bad_input, error.what()};
  } catch (const FailedElsewhere&) {
    return {success};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {no_answer, error.what()};
  }
} catch (const std::bad_alloc&) {  // even if it was the copy of a message that needed memory
  return {no_answer, out_of_memory};
}

void print_error(const std::string& message) {
  fmt::basic_memory_buffer<char, 4096> line;  // on the stack: there may be no memory
  fmt::format_to(std::back_inserter(line), "shortfall: {}\n", message);
  say({line.data(), line.size()});
}

int run_command(const Command& command) {
  const auto [exit_code, message] = end_of(command);
  if (!message.empty()) print_error(message);
  return exit_code;
}

void end_in_order_without_memory() {
  usual_end = std::set_terminate(end_by_lost_exception);
  std::set_new_handler(note_lack_of_memory);
}

int run_command_line(int argc, char** argv) {
  end_in_order_without_memory();
  return run_command([&] {
    prepare_standard_streams();
    const Command command = parse_arguments(argc, argv);
    return command ? command() : success;
  });
}

/// Defined in the file of its command.
using AddCommand = void(const CommandGroup&);

// Compiled with their neighbours, some are defined before.
// NOLINTBEGIN(readability-redundant-declaration)
AddCommand add_risk, add_losses, add_solve, add_evaluate, add_convert, add_check, add_learn,
    add_show, add_study, add_reproduce;
AddCommand add_inventory_fit, add_inventory_solve, add_inventory_evaluate, add_inventory_train,
    add_inventory_simulate, add_inventory_report, add_inventory_order, add_inventory_backtest;
// NOLINTEND(readability-redundant-declaration)

// In the order of the help.
void add_commands(const CommandGroup& group) {
  add_risk(group);
  add_losses(group);
  add_solve(group);
  add_evaluate(group);
  add_convert(group);
  add_check(group);
  add_learn(group);
  add_show(group);
  add_study(group);
  const CommandGroup inventory = group.add_group(
      "inventory", "Ordering policies for perishable stock",
      "Example: shortfall inventory solve examples/platelets.toml --policy-out orders.csv");
  add_inventory_fit(inventory);
  add_inventory_solve(inventory);
  add_inventory_order(inventory);
  add_inventory_backtest(inventory);
  add_inventory_evaluate(inventory);
  add_inventory_train(inventory);
  add_inventory_simulate(inventory);
  add_inventory_report(inventory);
  add_reproduce(group);
}

bool Processes::is_to_report() const {
  ranks_->any(false);
  return is_first();
}

void Processes::add_to(nlohmann::json& document) const {
  if (is_named_) document["ranks"] = ranks_->size();
}

}  // namespace shortfall::app

/// Highway 1.0 calls this when it is loaded, for its benchmarks, and measures the clock for 4 ms:
/// half of what a small model took from start to end. The commands benchmark nothing, and this
/// definition is found before Highway's.
std::uint64_t hwy::platform::TimerResolution() {
  return 1;
}
