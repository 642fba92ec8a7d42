#pragma once

#include <string>
#include <string_view>

#include "shortfall/theory/conditions.hpp"

/// Conditions in words, for people.
namespace shortfall::theory {

/// What was checked, and what could not be: empty where all was.
struct CheckedConditions {
  Conditions conditions;
  std::string loss;  ///< its word
  std::string not_checked = {};
};

/// "guaranteed", "not guaranteed", or "guaranteed where .." what was not checked holds.
std::string_view verdict(const CheckedConditions& checked);

/// Several lines: the verdict, the limits, and each assumption with its reason.
std::string report(const CheckedConditions& checked);

}  // namespace shortfall::theory
