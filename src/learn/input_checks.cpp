#include "shortfall/learn/detail/input_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::learn::detail {

void check_discount(double gamma) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma = {}; accepted: a number from 0 to 1", gamma);
}

void check_dimension(std::size_t dimension) {
  require(dimension != 0, "a learner with 0 features; accepted: at least 1");
}

void check_lambda(double lambda) {
  require(lambda >= 0.0 && lambda <= 1.0, "lambda = {}; accepted: a number from 0 to 1", lambda);
}

void check_not_started(std::uint64_t updates) {
  require(updates == 0, "new starting weights after {} updates; accepted: before the first update",
          updates);
}

void check_average_from(std::uint64_t from, std::uint64_t updates) {
  require(updates <= from,
          "averaging from update {} of a learner at update {}; accepted: {} or later", from,
          updates, updates);
}

void check_cost(double cost) {
  require(std::isfinite(cost), "the cost is {}; accepted: a finite number", cost);
}

void check_features(std::span<const double> phi, std::span<const double> phi_next) {
  const auto check = [](std::string_view what, std::span<const double> features) {
    const auto bad = std::ranges::find_if_not(features, [](double x) { return std::isfinite(x); });
    if (bad == features.end()) return;
    throw InvalidInput(fmt::format("{} {} is {}; accepted: a finite number", what,
                                   bad - features.begin() + 1, *bad));
  };
  check("feature", phi);
  check("next feature", phi_next);
}

void check_half_life(double half_life) {
  require(half_life >= 1.0 && half_life <= 1e18,
          "a half-life of {} samples; accepted: a number from 1 to 1e18", half_life);
}

double forgotten_share(double half_life) {
  check_half_life(half_life);
  return -portable::expm1(-std::numbers::ln2 / half_life);
}

void throw_weight(double weight) {
  throw InvalidInput(fmt::format("the weight is {}; accepted: a finite number >= 0", weight));
}

void throw_diverged(std::uint64_t updates) {
  throw InvalidInput(fmt::format(
      "a value of a learner that diverged after {} updates; accepted: one that has not, as with "
      "smaller steps",
      updates));
}

void throw_size(std::size_t size, std::size_t dimension) {
  throw InvalidInput(fmt::format("{} features; accepted: {}", size, dimension));
}

void throw_no_state(StateIndex x, std::size_t states) {
  throw InvalidInput(fmt::format("there is no state {}; accepted: a number below {}", x, states));
}

}  // namespace shortfall::learn::detail
