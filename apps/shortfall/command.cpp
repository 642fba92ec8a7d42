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

std::string failure_reason(Status status, double error_bound, double tolerance) {
  switch (status) {
    case Status::overflow:
      return "a value left the range of double precision; scale the costs down";
    case Status::precision_limit:
      return fmt::format(
          "double precision cannot certify --tolerance {}{}; allow a larger tolerance", tolerance,
          std::isfinite(error_bound) ? fmt::format(", only {:.2g}", error_bound) : "");
    case Status::stopped:
      return std::isfinite(error_bound)
                 ? fmt::format("stopped by a signal; values are within {:.2g}", error_bound)
                 : "stopped by a signal before anything was certified";
    default:
      return "not converged; allow more iterations with --max-iterations, or a larger --tolerance";
  }
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
