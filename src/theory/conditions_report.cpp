#include "shortfall/theory/conditions_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {

std::string_view verdict(const CheckedConditions& checked) {
  if (!checked.conditions.guaranteed()) return "not guaranteed";
  if (!checked.not_checked.empty()) return "guaranteed where the chain is ergodic";
  return checked.algorithm.empty() ? "guaranteed for independent features" : "guaranteed";
}

namespace {

constexpr std::string_view visits =
    "transitions along a path of the chain, which visits each state "
    "for ever";
constexpr std::string_view steps =
    "steps whose sum is infinite and whose squares have a finite sum, no larger than the features "
    "allow";

std::string slopes_text(const Conditions& found) {
  return fmt::format("slopes of the loss between {:.6g} and {:.6g}", found.slopes.lower,
                     found.slopes.upper);
}

bool others_hold(const Conditions& found) {
  return std::ranges::all_of(found.assumptions, [](const Assumption& assumption) {
    return assumption.holds || assumption.name == "discount" || assumption.name == "curvature" ||
           assumption.name == "bounded slopes";
  });
}

KnownConvergence known_of_td(const CheckedConditions& checked) {
  const Conditions& found = checked.conditions;
  if (!found.guaranteed()) {
    return {.algorithm = "td",
            .guaranteed = false,
            .known = "not proved here: it may converge, and may not, with some features"};
  }
  return {.algorithm = "td",
          .guaranteed = true,
          .known = "proved: it converges to the projected fixed point",
          .rests_on = {slopes_text(found), "features that are independent", std::string(steps),
                       std::string(visits)}};
}

KnownConvergence known_of_traces(const CheckedConditions& checked) {
  const Conditions& found = checked.conditions;
  const bool is_linear = found.slopes.lower == found.slopes.upper;
  if (!is_linear || !(found.gamma < 1.0) || !others_hold(found)) {
    return {.algorithm = "td-lambda",
            .guaranteed = false,
            .known = is_linear ? "not proved here"
                               : "not proved: for the mean only. Its limit depends on lambda"};
  }
  return {.algorithm = "td-lambda",
          .guaranteed = true,
          .known = "proved for the mean; its limit depends on lambda",
          .rests_on = {"features that are independent", std::string(steps), std::string(visits)}};
}

KnownConvergence known_of_averager(const CheckedConditions& checked) {
  const Conditions& found = checked.conditions;
  const bool is_checked = checked.algorithm == "averager-td";
  const bool holds =
      is_checked ? found.guaranteed() : found.gamma < 1.0 && found.slopes.upper < infinity;
  if (!holds) {
    return {.algorithm = "averager-td",
            .guaranteed = false,
            .known = found.gamma < 1.0 ? "stable if steps are small enough for the costs that occur"
                                       : "not proved for gamma = 1"};
  }
  return {.algorithm = "averager-td",
          .guaranteed = true,
          .known = "proved: it converges to a fixed point of its own",
          .rests_on = {"features that are nonnegative and sum to at most 1", std::string(steps),
                       "states that all paths reach again and again"}};
}

}  // namespace

std::vector<KnownConvergence> known_convergence(const CheckedConditions& checked) {
  std::vector<KnownConvergence> known;
  if (checked.algorithm != "averager-td") known.push_back(known_of_td(checked));
  known.push_back(known_of_traces(checked));
  const bool is_stable =
      !known.empty() && known.front().algorithm == "td" && known.front().guaranteed;
  known.push_back({.algorithm = "newton",
                   .guaranteed = false,
                   .known = is_stable
                                ? "not proved; its only possible limit is that of td, and its "
                                  "matrix is invertible there"
                                : "not proved; if it converges, it ends where td does"});
  known.push_back(known_of_averager(checked));
  known.push_back({.algorithm = "averager-newton",
                   .guaranteed = false,
                   .known =
                       "not proved; its matrix is invertible for every gamma below 1, and if it "
                       "converges, it ends where averager-td does"});
  return known;
}

std::string report(const CheckedConditions& checked) {
  const Conditions& found = checked.conditions;
  std::string text = fmt::format(
      "{} with gamma {}: convergence of {} is {}\n\n"
      "slopes in [{:.6g}, {:.6g}]; gamma must be below {:.6g}\n\n",
      checked.loss, found.gamma, checked.algorithm.empty() ? "td" : checked.algorithm,
      verdict(checked), found.slopes.lower, found.slopes.upper, found.sharp_gamma_limit);
  for (const auto& [name, holds, reason] : found.assumptions) {
    text += fmt::format("  {}  {}: {}\n", holds ? "yes" : " no", name, reason);
  }
  if (!checked.not_checked.empty()) text += fmt::format("    ?  {}\n", checked.not_checked);
  if (!checked.rests_on.empty()) text += "\nThe guarantee rests on\n";
  for (const std::string& each : checked.rests_on) text += fmt::format("  - {}\n", each);
  text += "\nWhat is known\n";
  for (const KnownConvergence& each : known_convergence(checked)) {
    text += fmt::format("  {:<16} {}\n", each.algorithm, each.known);
    for (const std::string& one : each.rests_on) text += fmt::format("  {:<16} - {}\n", "", one);
  }
  return text;
}

}  // namespace shortfall::theory
