#pragma once

#include <string>
#include <string_view>

#include "shortfall/theory/conditions.hpp"

/// Conditions as text.
namespace shortfall::theory {

/// Conditions, with those that could not be checked; `not_checked` is empty if all were.
struct CheckedConditions {
  Conditions conditions;
  std::string loss;  ///< as AnyLoss::to_string
  std::string not_checked = {};
};

/// "guaranteed", "not guaranteed", or "guaranteed where .." the unchecked conditions hold.
std::string_view verdict(const CheckedConditions& checked);

/// Several lines: the verdict, the limits, and each assumption with its reason.
std::string report(const CheckedConditions& checked);

}  // namespace shortfall::theory
