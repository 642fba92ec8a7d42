#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/theory/conditions.hpp"

/// Conditions as text.
namespace shortfall::theory {

/// Conditions, with those that could not be checked; `not_checked` is empty if all were.
struct CheckedConditions {
  Conditions conditions;
  std::string loss;  ///< as AnyLoss::to_string
  std::string not_checked = {};
  std::string algorithm = {};              ///< empty: the online algorithms in general
  std::vector<std::string> rests_on = {};  ///< what a guarantee needs beyond them
  /// The largest step of averager_steps.hpp from θ = 0; 0 if no step is small enough, nothing if
  /// the theorem does not apply.
  std::optional<double> largest_step = {};
};

/// "guaranteed", "not guaranteed", or "guaranteed where .." the unchecked conditions hold.
std::string_view verdict(const CheckedConditions& checked);

/// Several lines: the verdict, the limits, each assumption with its reason, and what it rests on.
std::string report(const CheckedConditions& checked);

}  // namespace shortfall::theory
