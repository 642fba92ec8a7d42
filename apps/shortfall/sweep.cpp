#include "apps/shortfall/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include "shortfall/errors/error.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

constexpr double most_values = 10000;

/// What messages refer to.
struct SweepText {
  const std::string& text;
  const SweepRule& rule;
};

[[noreturn]] void refuse_sweep(const SweepText& given, std::string_view problem) {
  throw InvalidInput(fmt::format(
      "--sweep {}: {}; accepted: KEY=START:STOP:STEP or KEY=VALUE,VALUE,.., such as {} (at most {} "
      "values; put a value that contains commas in quotes)",
      given.text, problem, given.rule.example, most_values));
}

/// Splits `list` at each separator outside brackets and quotes.
std::vector<std::string> split_outside_brackets(std::string_view list, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = '\0';
  for (const char c : list) {
    if (quote == '\0' && (c == '[' || c == ']')) depth += c == '[' ? 1 : -1;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    }
    if (c == separator && depth == 0 && quote == '\0') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The numbers of START:STOP:STEP; nothing if the text does not have this form.
std::optional<std::vector<std::string>> range_of(const std::string& list, const SweepText& text) {
  const std::vector<std::string> parts = split_outside_brackets(list, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto start = io::parse_number(parts[0]);
  const auto stop = io::parse_number(parts[1]);
  const auto step = io::parse_number(parts[2]);
  if (!start || !stop || !step) return std::nullopt;
  // The count allows for rounding of about a billionth of a step.
  const double steps = std::floor((*stop - *start) / *step + 1e-9);
  if (!(std::isfinite(*start) && std::isfinite(*stop) && steps >= 0.0)) {
    refuse_sweep(text, "the steps do not lead from start to stop");
  }
  if (!(steps < most_values)) refuse_sweep(text, fmt::format("there are {} values", steps + 1.0));
  std::vector<std::string> values;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(steps); ++k) {
    // Twelve digits print 0.3, where the sum of steps is 0.30000000000000004.
    values.push_back(fmt::format("{:.12g}", *start + static_cast<double>(k) * *step));
  }
  return values;
}

/// Numbers that are spelled in two ways are the same value.
void check_different_values(const std::vector<std::string>& values, const SweepText& given) {
  std::map<std::string, const std::string*> seen;
  for (const std::string& value : values) {
    const auto number = io::parse_number(value);
    const auto [same, is_new] =
        seen.try_emplace(number ? fmt::format("{}", *number) : value, &value);
    if (is_new) continue;
    refuse_sweep(given, *same->second == value
                            ? fmt::format("{} is given twice", value)
                            : fmt::format("{} and {} are the same", *same->second, value));
  }
}

bool sets_loss(std::string_view key, const SweepRule& rule) {
  return key == rule.level_key || key == rule.loss_key;
}

}  // namespace

Sweep parse_sweep(const std::string& text, const SweepRule& rule) {
  const SweepText given{text, rule};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_sweep(given, "the = is missing");
  const std::string_view key = std::string_view(text).substr(0, equals);
  const std::size_t first = std::min(key.find_first_not_of(" \t"), key.size());
  Sweep sweep{std::string(key.substr(first, key.find_last_not_of(" \t") + 1 - first)), {}};
  const std::string list = text.substr(equals + 1);
  if (auto range = range_of(list, given)) {
    sweep.values = std::move(*range);
    return sweep;
  }
  sweep.values = split_outside_brackets(list, ',');
  for (const std::string& value : sweep.values) {
    if (value.empty()) refuse_sweep(given, "a value is empty");
  }
  if (static_cast<double>(sweep.values.size()) > most_values)
    refuse_sweep(given, "too many values");
  check_different_values(sweep.values, given);
  return sweep;
}

std::vector<SweepPoint> sweep_points(const std::vector<std::string>& sweeps,
                                     const SweepRule& rule) {
  std::vector<SweepPoint> points(1);
  for (const std::string& text : sweeps) {
    const Sweep sweep = parse_sweep(text, rule);
    std::vector<SweepPoint> longer;
    for (const SweepPoint& point : points) {
      for (const auto& [key, value] : point) {
        if (key == sweep.key) refuse_sweep({text, rule}, "another --sweep has the same key");
        if (sets_loss(key, rule) && sets_loss(sweep.key, rule)) {
          refuse_sweep({text, rule},
                       fmt::format("{} and {} both set the loss", rule.level_key, rule.loss_key));
        }
      }
      for (const std::string& value : sweep.values) {
        longer.push_back(point);
        longer.back().emplace_back(sweep.key, value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

}  // namespace shortfall::app
