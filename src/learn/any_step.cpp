#include "shortfall/learn/any_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::learn {
namespace {

constexpr std::string_view scaled_name = "scaled";

}  // namespace

ScaledStep::ScaledStep() : decrease_(portable::pow(delay, exponent), delay, exponent) {}

/// With features or slopes out of range there is no step at all: weights stay finite.
void ScaledStep::enlarge(double size, double slope) {
  largest_size_ = std::max(largest_size_, size);
  steepest_ = std::max(steepest_, slope);
  const double product = steepest_ * largest_size_;
  first_ = product > 0.0 && 1.0 / product < infinity ? 1.0 / product : 0.0;
}

void ScaledStep::check_state() const {
  detail::check_real("largest_size", largest_size_, 0.0, infinity);
  detail::check_real("steepest", steepest_, 0.0, infinity);
}

theory::Assumption ScaledStep::assumption() const {
  return {"step size", true,
          fmt::format("(1 + n/{})^-{} over the largest slope and squared length of features so "
                      "far: the exponent is in (1/2, 1], and features are bounded",
                      delay, exponent)};
}

AnyStep AnyStep::parse(std::string_view spec) {
  if (spec == scaled_name) return {};
  std::vector<double> numbers;
  for (const std::string_view part : io::split(spec, ',')) {
    if (const auto value = io::parse_finite_number(part)) numbers.push_back(*value);
  }
  const auto commas = static_cast<std::size_t>(std::ranges::count(spec, ','));
  if (commas == 0 && numbers.size() == 1) return ConstantStep(numbers[0]);
  if (commas == 2 && numbers.size() == 3) return PolynomialStep(numbers[0], numbers[1], numbers[2]);
  throw InvalidInput(
      fmt::format("step size '{}'; accepted: B1,B2,DELTA for B1/(n + B2)^DELTA, one "
                  "number for a constant, or {}",
                  spec, scaled_name));
}

std::string AnyStep::to_string() const {
  if (is_scaled()) return std::string(scaled_name);
  if (const auto* constant = std::get_if<ConstantStep>(&step_)) {
    return fmt::format("{}", constant->eta());
  }
  const auto& step = std::get<PolynomialStep>(step_);
  return fmt::format("{},{},{}", step.b1(), step.b2(), step.delta());
}

}  // namespace shortfall::learn
