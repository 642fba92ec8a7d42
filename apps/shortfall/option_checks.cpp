#include "apps/shortfall/option_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "shortfall/error.hpp"

namespace shortfall::app {

void refuse(const std::string& what, const std::string& accepted) {
  throw InvalidInput(fmt::format("{}; accepted: {}", what, accepted));
}

void refuse_gamma(double gamma, const std::string& accepted) {
  refuse(fmt::format("--gamma is {}{}", gamma, percent_hint(gamma)), accepted);
}

std::string percent_hint(double value) {
  return value >= 2.0 && value < 100.0 ? fmt::format(", did you mean {}?", value / 100.0) : "";
}

void check_stopping(double tolerance, int max_iterations) {
  if (!(tolerance > 0.0 && std::isfinite(tolerance))) {
    refuse(fmt::format("--tolerance is {}", tolerance), "a number above 0");
  }
  if (max_iterations < 1) {
    refuse(fmt::format("--max-iterations is {}", max_iterations), "at least 1");
  }
}

void check_is_file(std::string_view option, const std::string& path) {
  if (path != "-" && path != "/dev/stdout") return;
  refuse(fmt::format("{} is {}, which is for the results", option, path), "a file");
}

void check_different(const std::string& name, const std::string& path,
                     const std::string& other_name, const std::string& other) {
  if (path.empty() || other.empty() || other == "-") return;
  std::error_code ignored;
  const auto full = [&](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  if (full(path) != full(other)) return;
  refuse(fmt::format("{} and {} are the same file", name, other_name), "two files");
}

}  // namespace shortfall::app
