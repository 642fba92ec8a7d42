#pragma once

#include <array>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "shortfall/dp/solution.hpp"

namespace shortfall::app {

/// Exit codes of the contract. Bad usage and bad input are exceptions until command_line.cpp turns
/// them into exit codes.
enum ExitCode : int { success = 0, no_answer = 1, bad_input = 2 };
inline constexpr std::array<std::pair<ExitCode, std::string_view>, 3> exit_codes = {{
    {success, "Success"},
    {no_answer,
     "It ran but has no answer: diverged, not converged in the allowed work, singular, "
     "or out of memory"},
    {bad_input,
     "Bad usage or bad input, or an output that cannot be written. One message on "
     "standard error names the file and line, or the option, what is wrong, and what is "
     "accepted"},
}};

/// A command with its options: what is left to do once the arguments are read.
using Command = std::function<ExitCode()>;

/// Writes to standard output, all of it: a full disk is an error, not a truncated file.
void print(const std::string& text);
void print_json(const nlohmann::json& document);
/// The same on one line, for streams of documents.
void print_json_line(const nlohmann::json& document);

/// Writes to standard error. A message that cannot be written is lost, and the run goes on: a full
/// log must not end it.
void say(std::string_view text);

/// Why a solver did not converge and what to do about it, for people.
std::string failure_reason(Status status, double error_bound, const Tolerance& tolerance);

/// Says that a checkpoint could not be written but `activity` continues: it is tried again later.
void print_save_failure(const std::string& error, std::string_view activity);

/// Writes the files of a result, then prints it, so that the files exist even if standard output is
/// closed. A file that cannot be written is thrown as OutputError after printing.
void write_then_print(const std::function<void()>& write_files,
                      const std::function<void()>& print_result);

/// How a solve ended: "converged: every value within 2.2e-06 of exact, 3 iterations, 0.5 s". The
/// bound is that of the values as they are printed. Where it is more than was aimed at, the text
/// says that double precision allows no less.
std::string end_text(const Solution& solution, const std::string& bound, double seconds,
                     const Tolerance& tolerance);

/// Whether there is anything to print of a solution: a solver that was stopped before its first
/// bound has found nothing that is certain.
bool is_usable(Status status, double error_bound);

}  // namespace shortfall::app
