#include "shortfall/learn/linear_learner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shortfall/error.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/td_lambda.hpp"

namespace shortfall::learn {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::warming_up:
      return "warming-up";
    case Status::singular:
      return "singular";
    case Status::diverged:
      return "diverged";
  }
  return "";
}

namespace detail {

void check_learner(std::size_t dimension, double gamma) {
  if (dimension == 0) throw InvalidInput("a learner with 0 features; accepted: at least 1");
  if (!(gamma >= 0.0 && gamma <= 1.0)) {
    throw InvalidInput(fmt::format("discount factor {}; accepted: a number from 0 to 1", gamma));
  }
}

void check_lambda(double lambda) {
  if (!(lambda >= 0.0 && lambda <= 1.0)) {
    throw InvalidInput(fmt::format("trace parameter lambda = {}; accepted: 0 to 1", lambda));
  }
}

void check_average_from(std::uint64_t from, std::uint64_t updates) {
  if (updates <= from) return;
  throw InvalidInput(
      fmt::format("an average from update {} of a learner that is at {}; accepted: "
                  "{} or later",
                  from, updates, updates));
}

void reject_size(std::size_t size, std::size_t dimension) {
  throw InvalidInput(fmt::format("{} features; accepted: {}", size, dimension));
}

void check_not_started(std::uint64_t updates) {
  if (updates == 0) return;
  throw InvalidInput(
      fmt::format("a start after {} updates; accepted: before the first update", updates));
}

void check_finite(std::span<const double> phi, double cost, std::span<const double> phi_next) {
  const auto check = [](std::string_view what, std::span<const double> features) {
    const auto bad = std::ranges::find_if_not(features, [](double x) { return std::isfinite(x); });
    if (bad == features.end()) return;
    throw InvalidInput(fmt::format("{} {} is {}; accepted: a finite number", what,
                                   bad - features.begin() + 1, *bad));
  };
  check("feature", phi);
  check("next feature", phi_next);
  if (!std::isfinite(cost)) {
    throw InvalidInput(fmt::format("the cost is {}; accepted: a finite number", cost));
  }
}

}  // namespace detail
}  // namespace shortfall::learn
