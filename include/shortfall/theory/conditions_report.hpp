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
  std::string algorithm = {};              ///< empty: td, for any features
  std::vector<std::string> rests_on = {};  ///< what a guarantee needs beyond them
  /// The largest step of averager_steps.hpp from θ = 0, or of TD (feature_conditions.hpp); 0 if no
  /// step is small enough, nothing if the theorem does not apply.
  std::optional<double> largest_step = {};
};

/// What is known about one of the online algorithms.
struct KnownConvergence {
  std::string_view algorithm;  ///< as on the command line
  bool guaranteed;             ///< proved, given what is named in `rests_on`
  std::string known;           ///< a sentence without its full stop
  std::vector<std::string> rests_on = {};
};

/// For td, td-lambda, newton, averager-td and averager-newton, in this order. td is the checked one
/// unless that is averager-td.
std::vector<KnownConvergence> known_convergence(const CheckedConditions& checked);

/// "guaranteed", "not guaranteed", or "guaranteed where .." the unchecked conditions hold.
std::string_view verdict(const CheckedConditions& checked);

/// Several lines: the verdict, the limits, each assumption with its reason, what it rests on, and
/// what is known about each algorithm.
std::string report(const CheckedConditions& checked);

}  // namespace shortfall::theory
