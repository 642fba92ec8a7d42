#include "studies/policy_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace shortfall::studies {
std::string out_of(std::size_t count, std::size_t all) {
  return fmt::format("{} of {}", count, all);
}

std::string place_of(const PolicyCell& cell) {
  return fmt::format("tau {}, costs {}", cell.tau, cell.cost);
}

std::string place_of(const PrintedGaps& gaps) {
  return fmt::format("tau {}, costs {}", gaps.worst_tau, gaps.worst_cost);
}

std::size_t count(const PolicyTable& table, std::string_view policy,
                  const std::function<bool(const PolicyCell&)>& holds) {
  return static_cast<std::size_t>(std::ranges::count_if(table.of(policy), holds));
}

Finding exact_cells_match(const PolicyTable& table, const std::vector<std::string>& policies) {
  bool all_match = true;
  std::size_t printed = 0;
  double furthest = 0.0;
  std::vector<std::string> counts;
  for (const std::string& policy : policies) {
    const std::vector<PolicyCell> cells = table.of(policy);
    std::size_t matching = 0;
    for (const PolicyCell& cell : cells) {
      matching += cell.matches.value_or(false) ? 1U : 0U;
      furthest = std::max(furthest, std::abs(cell.ours - cell.paper));
    }
    all_match = all_match && matching == cells.size();
    printed += cells.size();
    counts.push_back(fmt::format("{} {}", policy, out_of(matching, cells.size())));
  }
  return {.claim = fmt::format("Under the published stopping rule the values of {} agree with the "
                               "printed ones to the last digit",
                               fmt::join(policies, ", ")),
          .published = fmt::format("{} values", printed),
          .found = fmt::format("equal to the printed digit: {}; the furthest is off by {:.3f}",
                               fmt::join(counts, ", "), furthest),
          .verdict = holds_everywhere(all_match, table.coverage())};
}

Finding worst_gap(const PolicyTable& table, const std::string& policy) {
  const PrintedGaps paper = table.printed(policy);
  const PolicyCell ours = table.worst(policy, &PolicyCell::ours_gap_percent);
  const PolicyCell truth = table.worst(policy, &PolicyCell::true_gap_percent);
  const double excess = ours.ours_gap_percent - paper.worst;
  return {
      .claim = fmt::format("The largest gap of the {} policy (the same if it differs by at most "
                           "{} points under the published rule)",
                           policy, same_gap),
      .published = fmt::format("{:.2f} % ({})", paper.worst, place_of(paper)),
      .found = fmt::format("{:.2f} % under the published rule ({}), {:.2f} % of converged "
                           "values",
                           ours.ours_gap_percent, place_of(ours), truth.true_gap_percent),
      .verdict = excess > same_gap ? Verdict::refuted
                                   : holds_as_computed(excess >= -same_gap, table.coverage())};
}

Finding stopped_early(const PolicyTable& table) {
  Range growth;
  double error = 0.0;
  for (const PolicyCell& cell : table.of("Optimal")) {
    growth.add(cell.converged - cell.ours);
    error = std::max(error, cell.error_bound);
  }
  return {.claim =
              "The printed optima are below the true ones, because sweeps from zero were "
              "stopped while values still grew",
          .found = fmt::format("converged optima (certified to {:.0e}) are higher by {:.3f} to "
                               "{:.3f} in {} settings",
                               error, growth.least, growth.most, table.of("Optimal").size()),
          .verdict = holds_everywhere(growth.least > error, table.coverage()),
          .origin = Origin::ours};
}

JudgedFinding judged(const TrainedTables& tables, const TrainedStatement& statement,
                     const std::function<TrainedTest(const PolicyTable&)>& test,
                     Coverage coverage) {
  const std::size_t all = tables.as_published().settings();
  return judged(statement, tables.choices_of(statement.algorithm), [&](std::string_view choice) {
    const PolicyTable& table = tables.by(choice);
    const auto [holds, found, figure] = test(table);
    return Tested{.verdict = holds_as_computed(holds, coverage),
                  .found = found,
                  .figure = figure,
                  .scope = table.settings() < all
                               ? fmt::format("in {} settings", out_of(table.settings(), all))
                               : ""};
  });
}

Finding optimum_has_a_gap(const PolicyTable& table) {
  const auto [least, most] = std::ranges::minmax(table.rule_gaps());
  std::size_t gone = 0;
  std::size_t printed = 0;
  for (const PolicyCell& cell : table.cells()) {
    if (!cell.matches || !(cell.paper_gap_percent > 0.0)) continue;  // exact policies only
    ++printed;
    gone += cell.true_gap_percent == 0.0 ? 1U : 0U;
  }
  return {
      .claim =
          "An optimum is printed one sweep earlier than the value of a policy, so that even "
          "the optimal orders would have been printed with a gap",
      .found = fmt::format("their gap is {:.3f} to {:.3f} % under the published rule; {} printed "
                           "gaps of Static, Myopic and RN are 0 when converged",
                           least, most, out_of(gone, printed)),
      .verdict = holds_everywhere(least > 0.0, table.coverage()),
      .origin = Origin::ours};
}

}  // namespace shortfall::studies
