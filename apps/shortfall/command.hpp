#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "options.hpp"

/// One file a command.
namespace shortfall::app {

/// Exit codes of the contract. Bad usage and bad input are exceptions until they reach main.
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

/// Writes to standard output and makes sure it arrived: a full disk is an error, not a short file.
void print(const std::string& text);
void print_json(const nlohmann::json& document);

/// Writes the files of a result, then prints it: where nobody reads standard output any more, the
/// files are there. A file that cannot be written is thrown as OutputError after the printing.
void write_then_print(const std::function<void()>& write_files,
                      const std::function<void()>& print_result);

}  // namespace shortfall::app
