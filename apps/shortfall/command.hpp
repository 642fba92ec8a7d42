#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/shortfall/options.hpp"

/// One file per command.
namespace shortfall::app {

/// Exit codes of the contract. Bad usage and bad input are exceptions until command_line.cpp turns
/// them into exit codes.
enum ExitCode : int { success = 0, no_answer = 1, bad_input = 2 };

ExitCode run(const RiskOptions& options);
ExitCode run(const SolveOptions& options);
ExitCode run(const EvaluateOptions& options);
ExitCode run(const CheckOptions& options);
ExitCode run(const LearnOptions& options);
ExitCode run(const InventorySolveOptions& options);
ExitCode run(const InventoryEvaluateOptions& options);
ExitCode run(const InventoryTrainOptions& options);
ExitCode run(const InventorySimulateOptions& options);
ExitCode run(const InventoryReportOptions& options);
ExitCode run(const ReproduceOptions& options);

/// Writes to standard output and flushes it: a full disk is an error, not a truncated file.
void print(const std::string& text);
void print_json(const nlohmann::json& document);

/// Why a solver did not converge and what to do about it, for people.
std::string failure_reason(Status status, double error_bound, double tolerance);

/// Writes the files of a result, then prints it, so that the files exist even if standard output is
/// closed. A file that cannot be written is thrown as OutputError after printing.
void write_then_print(const std::function<void()>& write_files,
                      const std::function<void()>& print_result);

}  // namespace shortfall::app
