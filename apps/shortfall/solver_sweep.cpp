#include "apps/shortfall/solver_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

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

std::string point_text(const SweepPoint& point) {
  std::string text;
  for (const auto& [key, value] : point) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

/// Losses may be spelled in several ways, as expectile:0.5 and expectile:0.50.
void check_different_points(const std::vector<CriterionPoint>& points) {
  std::map<std::pair<std::string, double>, const SweepPoint*> seen;
  for (const auto& [set, criterion] : points) {
    const auto [same, is_new] =
        seen.try_emplace({criterion.loss.to_string(), criterion.gamma}, &set);
    if (is_new) continue;
    throw InvalidInput(fmt::format("--sweep: {} and {} are the same; accepted: each value once",
                                   point_text(*same->second), point_text(set)));
  }
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
  check_different_points(points);
  return points;
}

std::optional<std::string> swept_key(const std::vector<std::string>& sweeps,
                                     std::initializer_list<std::string_view> keys) {
  for (const std::string& text : sweeps) {
    std::string key = parse_sweep(text, solver_sweeps).key;
    if (std::ranges::count(keys, key) > 0) return key;
  }
  return std::nullopt;
}

}  // namespace shortfall::app
