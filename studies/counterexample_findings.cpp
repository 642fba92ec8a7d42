#include "studies/counterexample_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "studies/counterexample_chain.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {
namespace {

template <class Row>
std::string place_of(const Row& row) {
  return fmt::format("p {}, {} root", row.p, row.root);
}

/// The drift is zero at every θ ≥ 0.
Finding drift_vanishes(const CounterexampleTables& tables) {
  double largest = 0.0;
  std::size_t points = 0;
  for (const DriftRow& row : tables.drift) {
    if (row.p != critical_probability || row.theta < 0.0) continue;
    largest = std::max(largest, std::abs(row.drift));
    ++points;
  }
  return {.claim = "At p = 9/10 every theta >= 0 is an equilibrium of the mean-field ODE",
          .published = "drift 0",
          .found = fmt::format("largest drift at {} points, both roots: {:.1e}", points, largest),
          .verdict = verdict_of(points > 0 && largest <= drift_rounding)};
}

Finding drift_has_sign(const CounterexampleTables& tables, int sign) {
  bool holds = true;
  std::vector<std::string> slopes;
  for (const DriftRow& row : tables.drift) {
    const double p = row.p;
    const double theta = row.theta;
    if (theta <= 0.0 || (sign > 0 ? p <= critical_probability : p >= critical_probability))
      continue;
    const double drift = row.drift;
    holds = holds && sign_of_drift(drift) == sign;
    if (theta == 1.0) slopes.push_back(fmt::format("{}: {:.2e}", place_of(row), drift));
  }
  return {.claim = sign > 0
                       ? "For p in (9/10, 1) the drift is positive for every theta > 0: away "
                         "from the value"
                       : "For p below 9/10 the drift is negative for every theta > 0: towards the "
                         "value",
          .published = sign > 0 ? "positive" : "",
          .found = fmt::format("drift at theta = 1: {}", fmt::join(slopes, ", ")),
          .verdict = verdict_of(holds && !slopes.empty())};
}

Finding value_is_representable(const CounterexampleTables& tables) {
  double largest = 0.0, at_zero = 0.0;
  for (const ConditionRow& row : tables.conditions) {
    largest = std::max(largest, row.largest_value);
  }
  for (const DriftRow& row : tables.drift) {
    if (row.theta == 0.0) at_zero = std::max(at_zero, std::abs(row.drift));
  }
  return {
      .claim = "The value is 0, and the feature represents it with theta = 0, where the drift is 0",
      .published = "0",
      .found = fmt::format("largest value {:.2g}, largest drift at 0 {:.2g}", largest, at_zero),
      .verdict = verdict_of(largest <= 1e-6 && at_zero <= drift_rounding)};
}

Finding conditions_are_in_order(const CounterexampleTables& tables) {
  bool holds = false;
  std::string found;
  for (const ConditionRow& row : tables.conditions) {
    if (row.p != critical_probability) continue;
    const double limit = row.gamma_limit;
    const double distortion = row.distortion_gamma_limit;
    const double below = row.drift_at_smaller_gamma;
    const double above = row.drift_at_larger_gamma;
    const bool here = std::abs(limit - 0.1) <= drift_rounding &&
                      std::abs(distortion - std::sqrt(19.0) / 10.0) <= drift_rounding &&
                      limit < distortion && distortion < critical_probability &&
                      sign_of_drift(below) < 0 && sign_of_drift(above) > 0;
    holds = found.empty() ? here : holds && here;
    found = fmt::format(
        "{:.4f} < {:.4f} < 0.9 (sqrt(19)/10 = {:.4f}); the weaker slope condition "
        "allows {:.4f}; drift at theta = 1 for gamma a little below and above 0.9: {:.1e}, {:.1e}",
        limit, distortion, std::sqrt(19.0) / 10.0, row.sharp_gamma_limit, below, above);
  }
  return {.claim =
              "At p = 9/10 the condition requires gamma < 1/10, the distortion coefficient "
              "gamma < sqrt(19)/10, and the true threshold is 9/10",
          .published = "1/10 < sqrt(19)/10 < 9/10",
          .found = found,
          .verdict = verdict_of(holds)};
}

/// The last row of each chain.
std::vector<PathSummaryRow> ends_of(const std::vector<PathSummaryRow>& summary) {
  std::vector<PathSummaryRow> ends;
  for (const PathSummaryRow& row : summary) {
    const bool is_next = !ends.empty() && ends.back().p == row.p && ends.back().root == row.root;
    if (is_next) {
      ends.back() = row;
    } else {
      ends.push_back(row);
    }
  }
  return ends;
}

std::string mean_text(const PathSummaryRow& end) {
  return fmt::format("{}: {:.3f} ({:.3f})", place_of(end), end.mean_theta, end.standard_error);
}

/// Significant if beyond three standard errors of the final mean over all paths.
Finding iterates_follow_the_drift(const CounterexampleTables& tables) {
  std::vector<Verdict> verdicts;
  std::vector<std::string> texts;
  for (const PathSummaryRow& end : ends_of(tables.paths_summary)) {
    const int sign = end.drift_sign;
    if (sign == 0) continue;
    const double moved = end.mean_theta - 1.0;
    const bool is_significant = std::abs(moved) > 3.0 * end.standard_error;
    verdicts.push_back(is_significant ? verdict_of(moved * sign > 0.0) : Verdict::open);
    texts.push_back(mean_text(end));
  }
  return {.claim =
              "Iterates of TD from theta = 1 move away from 0 on average for p > 9/10, and towards "
              "0 for p < 9/10",
          .published = "away for p > 9/10",
          .found = fmt::format("final mean theta (standard error): {}", fmt::join(texts, ", ")),
          .verdict = verdicts.empty() ? Verdict::open : all_of(verdicts)};
}

/// A first-order effect would halve with the steps, a second-order effect falls to a quarter.
Finding no_drift_at_the_critical_probability(const CounterexampleTables& tables) {
  bool holds = true;
  std::vector<std::string> texts;
  for (const ConditionRow& row : tables.conditions) {
    if (row.p != critical_probability) continue;
    const double whole = row.expected_theta - 1.0;
    const double half = row.expected_theta_half_steps - 1.0;
    holds =
        holds && std::abs(whole) > 3.0 * std::abs(half) && std::abs(whole) < 5.0 * std::abs(half);
    texts.push_back(
        fmt::format("{}: {:.2e}, with half the steps {:.2e}", place_of(row), whole, half));
  }
  return {.claim = "At p = 9/10 iterates of TD from theta > 0 have no expected drift",
          .published = "none",
          .found = fmt::format("exact expected final theta minus 1: {}{}", fmt::join(texts, "; "),
                               holds ? ". This is of second order in the steps, where successive "
                                       "moves are correlated; there is no first-order drift"
                                     : ""),
          .verdict = verdict_of(holds && !texts.empty())};
}

Finding means_are_as_expected(const CounterexampleTables& tables) {
  double largest = 0.0;
  const std::vector<PathSummaryRow> ends = ends_of(tables.paths_summary);
  for (const PathSummaryRow& end : ends) {
    const double apart = end.mean_theta - end.expected_theta;
    largest = std::max(largest, std::abs(apart) / end.standard_error);
  }
  return {.claim = "Means of simulated paths agree with the exact recursion for E theta_n",
          .published = "",
          .found = fmt::format("{} chains, differences of at most {:.1f} standard errors",
                               ends.size(), largest),
          .verdict = verdict_of(!ends.empty() && largest <= 4.0)};
}

}  // namespace

std::vector<Finding> counterexample_findings(const CounterexampleTables& tables) {
  return {value_is_representable(tables),    drift_vanishes(tables),
          drift_has_sign(tables, 1),         drift_has_sign(tables, -1),
          iterates_follow_the_drift(tables), no_drift_at_the_critical_probability(tables),
          means_are_as_expected(tables),     conditions_are_in_order(tables)};
}

}  // namespace shortfall::studies
