#include "apps/shortfall/solver_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "shortfall/error.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

std::string without_quotes(const std::string& value) {
  const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                         (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

void set_in(Criterion& criterion, const std::string& key, const std::string& value) {
  const auto number = io::parse_finite_number(value);
  if (key == "loss") {
    criterion.loss = AnyLoss::parse(value);
  } else if (key == "tau") {
    criterion.loss = AnyLoss::parse("expectile:" + value);
  } else if (key == "gamma" && number) {
    criterion.gamma = *number;
  } else if (key == "gamma") {
    throw InvalidInput(fmt::format("'{}' is no number; accepted: a discount factor", value));
  } else {
    throw InvalidInput(fmt::format("there is no key '{}'; accepted: loss, tau, gamma, as in {}",
                                   key, solver_sweeps.example));
  }
}

bool sweeps_key(const std::vector<std::string>& sweeps, std::string_view key) {
  return std::ranges::any_of(
      sweeps, [&](const std::string& text) { return parse_sweep(text, solver_sweeps).key == key; });
}

}  // namespace

std::vector<CriterionPoint> criterion_points(const Criterion& given,
                                             const std::vector<std::string>& sweeps) {
  std::vector<CriterionPoint> points;
  for (SweepPoint& set : sweep_points(sweeps, solver_sweeps)) {
    CriterionPoint point{.set = {}, .criterion = given};
    for (const auto& [key, value] : set) {
      const std::string plain = without_quotes(value);
      try {
        set_in(point.criterion, key, plain);
      } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("--sweep {}={}: {}", key, value, error.what()));
      }
      point.set.emplace_back(key, plain);
    }
    points.push_back(std::move(point));
  }
  return points;
}

bool sweeps_loss(const std::vector<std::string>& sweeps) {
  return sweeps_key(sweeps, solver_sweeps.loss_key) || sweeps_key(sweeps, solver_sweeps.level_key);
}

bool sweeps_gamma(const std::vector<std::string>& sweeps) {
  return sweeps_key(sweeps, "gamma");
}

}  // namespace shortfall::app
