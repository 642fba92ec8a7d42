#include "shortfall/theory/conditions_report.hpp"

#include <fmt/format.h>

namespace shortfall::theory {

std::string_view verdict(const CheckedConditions& checked) {
  if (!checked.conditions.guaranteed()) return "not guaranteed";
  return checked.not_checked.empty() ? "guaranteed" : "guaranteed where the chain is ergodic";
}

std::string report(const CheckedConditions& checked) {
  const Conditions& found = checked.conditions;
  std::string text = fmt::format(
      "{} with gamma {}: convergence of {} is {}\n\n"
      "slopes in [{:.6g}, {:.6g}]; gamma must be below {:.6g}\n\n",
      checked.loss, found.gamma,
      checked.algorithm.empty() ? "the online algorithms" : checked.algorithm, verdict(checked),
      found.slopes.lower, found.slopes.upper, found.gamma_limit);
  for (const auto& [name, holds, reason] : found.assumptions) {
    text += fmt::format("  {}  {}: {}\n", holds ? "yes" : " no", name, reason);
  }
  if (!checked.not_checked.empty()) text += fmt::format("    ?  {}\n", checked.not_checked);
  if (!checked.rests_on.empty()) text += "\nThe guarantee rests on\n";
  for (const std::string& each : checked.rests_on) text += fmt::format("  - {}\n", each);
  return text;
}

}  // namespace shortfall::theory
