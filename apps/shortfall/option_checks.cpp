#include "apps/shortfall/option_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "require.hpp"

namespace shortfall::app {

void require_gamma(bool condition, double gamma, const char* accepted, std::string_view option) {
  require(condition, "{} is {}{}; accepted: {}", option, gamma, percent_hint(gamma), accepted);
}

std::string percent_hint(double value) {
  return value >= 2.0 && value < 100.0 ? fmt::format(", did you mean {}?", value / 100.0) : "";
}

void check_stopping(double tolerance, int max_iterations) {
  require(tolerance > 0.0 && std::isfinite(tolerance),
          "--tolerance is {}; accepted: a number above 0", tolerance);
  require(max_iterations >= 1, "--max-iterations is {}; accepted: at least 1", max_iterations);
}

namespace {

void check_is_not_output(std::string_view option, const std::string& path,
                         std::string_view accepted) {
  require(path != "-" && path != "/dev/stdout", "{} is {}, which is for the results; accepted: {}",
          option, path, accepted);
}

}  // namespace

void check_is_file(std::string_view option, const std::string& path) {
  check_is_not_output(option, path, "a file");
}

void check_is_directory(std::string_view option, const std::string& path) {
  check_is_not_output(option, path, "a directory");
}

void check_different(const std::string& name, const std::string& path,
                     const std::string& other_name, const std::string& other) {
  if (path.empty() || other.empty() || other == "-") return;
  std::error_code ignored;
  const auto full = [&](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  require(full(path) != full(other), "{} and {} are the same file; accepted: two files", name,
          other_name);
}

}  // namespace shortfall::app
