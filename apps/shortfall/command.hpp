#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

/// One file a command. A command adds itself to the application and leaves behind what to run once
/// the arguments are read; that returns the exit code.
namespace shortfall::app {

/// Exit codes of the contract. Bad usage and bad input are exceptions until they reach main.
enum ExitCode : int { success = 0, no_answer = 1, bad_input = 2 };

/// What every command understands.
struct CommonOptions {
  bool json = false;
  std::uint64_t seed = 1;
  int threads = 0;
};

using Run = std::function<ExitCode()>;

void add_common_options(CLI::App& command, CommonOptions& options);

/// Each returns its subcommand's action through `run` if the subcommand was called.
void add_risk_command(CLI::App& app, Run& run);
void add_solve_command(CLI::App& app, Run& run);
void add_evaluate_command(CLI::App& app, Run& run);
void add_check_command(CLI::App& app, Run& run);

/// Writes to standard output and makes sure it arrived: a full disk is an error, not a short file.
void print(const std::string& text);
void print_json(const nlohmann::json& document);

}  // namespace shortfall::app
