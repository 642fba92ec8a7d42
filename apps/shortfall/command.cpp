#include "apps/shortfall/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

#include "files/atomic_file.hpp"
#include "files/file_descriptor.hpp"
#include "numbers/certain_digits.hpp"

namespace shortfall::app {

void print(const std::string& text) {
  // Not by stdio, which loses what is left of its buffer when a signal interrupts a write.
  if (!io::write_all(STDOUT_FILENO, text)) {
    throw io::OutputError(std::string("standard output: ") + std::strerror(errno));
  }
}

void say(std::string_view text) {
  (void)io::write_all(STDERR_FILENO, text);
}

void print_json(const nlohmann::json& document) {
  // File names need not be UTF-8, but JSON must be.
  print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void print_json_line(const nlohmann::json& document) {
  print(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::string failure_reason(Status status, double error_bound, const Tolerance& tolerance) {
  switch (status) {
    case Status::overflow:
      return "a value left the range of double precision; scale the costs down";
    case Status::precision_limit:
      return fmt::format(
          "double precision cannot certify --tolerance {}{}{}; allow a larger tolerance",
          tolerance.goal(), tolerance.is_given() ? "" : " or a millionth of the largest value",
          std::isfinite(error_bound) ? ", only " + shortfall::bound_text(error_bound) : "");
    case Status::multichain:
      return fmt::format(
          "the average depends on the state in which one starts; from each it is within {} of the "
          "one given; accepted: a discount factor, or a model of the states that one can reach",
          shortfall::bound_text(error_bound));
    case Status::stopped:
      return std::isfinite(error_bound)
                 ? "stopped by a signal; values are within " + shortfall::bound_text(error_bound)
                 : "stopped by a signal before anything was certified";
    default:
      return "not converged; allow more iterations with --max-iterations, or a larger --tolerance";
  }
}

std::string end_text(const Solution& solution, const std::string& bound, double seconds,
                     const Tolerance& tolerance) {
  const bool is_large =
      solution.status == Status::converged && solution.error_bound > tolerance.goal();
  return fmt::format("{}: {} within {} of exact{}, {} iteration{}, {:.3g} s\n",
                     to_string(solution.status),
                     std::isnan(solution.average_cost) ? "every value" : "the average", bound,
                     is_large ? ", as close as double precision comes to values of this size" : "",
                     solution.iterations, solution.iterations == 1 ? "" : "s", seconds);
}

bool is_usable(Status status, double error_bound) {
  return status != Status::overflow && (status != Status::stopped || std::isfinite(error_bound));
}

void print_save_failure(const std::string& error, std::string_view activity) {
  say(fmt::format("shortfall: {}; {} continues\n", error, activity));
}

void write_then_print(const std::function<void()>& write_files,
                      const std::function<void()>& print_result) {
  std::exception_ptr failure;
  try {
    write_files();
  } catch (const io::OutputError&) {
    failure = std::current_exception();
  }
  print_result();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace shortfall::app
