#include "shortfall/learn/detail/state_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn::detail {

void check_count(std::string_view field, std::uint64_t value, std::uint64_t least,
                 std::uint64_t most) {
  require(value >= least && value <= most, "{} = {}; accepted: {} to {}", field, value, least,
          most);
}

void check_real(std::string_view field, double value, double least, double most) {
  require(value >= least && value <= most, "{} = {}; accepted: {} to {}", field, value, least,
          most);
}

void check_status(LearnerStatus status) {
  check_count("status", static_cast<std::uint64_t>(status),
              static_cast<std::uint64_t>(LearnerStatus::ok),
              static_cast<std::uint64_t>(LearnerStatus::not_settled));
}

void check_status_of_td(LearnerStatus status) {
  require(status == LearnerStatus::ok || status == LearnerStatus::not_settled ||
              status == LearnerStatus::diverged,
          "status = {}; accepted: {}, {}, {}", to_string(status), to_string(LearnerStatus::ok),
          to_string(LearnerStatus::not_settled), to_string(LearnerStatus::diverged));
}

void check_numbers(std::string_view field, std::span<const double> numbers, std::size_t dimension) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isnan(numbers[i])) continue;
    throw InvalidInput(fmt::format("number {} of {} is NaN; accepted: a number", i + 1, field));
  }
  check_padding(field, numbers, dimension);
}

void check_finite(std::string_view field, std::span<const double> numbers, std::size_t dimension) {
  check_numbers(field, numbers, dimension);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    throw InvalidInput(
        fmt::format("number {} of {} is {}; accepted: a finite number", i + 1, field, numbers[i]));
  }
}

void check_padding(std::string_view field, std::span<const double> numbers, std::size_t dimension) {
  const std::size_t stride = padded(dimension);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % stride < dimension || numbers[i] == 0.0) continue;
    throw InvalidInput(fmt::format("number {} of {} is {}, after a row of {}; accepted: 0", i + 1,
                                   field, numbers[i], dimension));
  }
}

}  // namespace shortfall::learn::detail
