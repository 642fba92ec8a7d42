#include <fmt/format.h>

#include <algorithm>

#include "studies/policy_table.hpp"

namespace shortfall::studies {
namespace {

Finding myopic_is_mostly_close(const PolicyTable& table) {
  const auto below = [&](double PolicyCell::*gap) {
    return count(table, "Myopic", [gap](const PolicyCell& cell) { return cell.*gap < 3.0; });
  };
  const std::size_t cells = table.of("Myopic").size();
  const std::size_t truly_below = below(&PolicyCell::true_gap_percent);
  return {.claim = "The gap of the myopic policy is below 3 % in most settings",
          .published =
              fmt::format("in {} settings", out_of(below(&PolicyCell::paper_gap_percent), cells)),
          .found = fmt::format("in {} settings (converged values)", out_of(truly_below, cells)),
          .verdict = holds_as_computed(2 * truly_below > cells, table.coverage())};
}

/// Verdict on a statement that can be read in two ways: open if they differ.
Verdict both(bool holds, bool holds_too, Coverage coverage) {
  return holds == holds_too ? holds_as_computed(holds, coverage) : Verdict::open;
}

Finding neutral_is_mostly_better(const PolicyTable& table) {
  std::size_t better = 0;
  std::size_t better_in_print = 0;
  double myopic_sum = 0.0;
  const std::vector<PolicyCell> cells = table.of("RN");
  for (const PolicyCell& cell : cells) {
    const PolicyCell& of_static = table.in_same_setting(cell, "Static");
    const PolicyCell& myopic = table.in_same_setting(cell, "Myopic");
    better += cell.true_gap_percent < std::min(of_static.true_gap_percent, myopic.true_gap_percent)
                  ? 1U
                  : 0U;
    better_in_print += cell.paper < std::min(of_static.paper, myopic.paper) ? 1U : 0U;
    myopic_sum += myopic.true_gap_percent;
  }
  const std::size_t all = table.of("Optimal").size();
  const std::size_t optimal = count(table, "Optimal", [&table](const PolicyCell& cell) {
    return cell.tau == 0.5 && table.in_same_setting(cell, "Static").true_gap_percent > 0.0 &&
           table.in_same_setting(cell, "Myopic").true_gap_percent > 0.0;
  });
  return {
      .claim =
          "The risk-neutral policy is generally better than both the static and the myopic "
          "(criterion: in more than half of the settings, with and without tau 0.5, where it is "
          "the "
          "optimum)",
      .published =
          fmt::format("in {} settings without tau 0.5", out_of(better_in_print, cells.size())),
      .found = fmt::format("in {} settings without tau 0.5, in {} with it (converged values); its "
                           "mean gap is {:.2f} %, that of the myopic policy in the same settings "
                           "{:.2f} %",
                           out_of(better, cells.size()), out_of(better + optimal, all),
                           table.mean("RN", &PolicyCell::true_gap_percent),
                           myopic_sum / static_cast<double>(cells.size())),
      .verdict = both(2 * better > cells.size(), 2 * (better + optimal) > all, table.coverage())};
}

Finding neutral_fails_under_risk(const PolicyTable& table) {
  const PrintedGaps paper = table.printed("RN");
  const PolicyCell ours = table.worst("RN", &PolicyCell::true_gap_percent);
  double moderate = 0.0;
  for (const PolicyCell& cell : table.of("RN")) {
    if (cell.tau == 0.4 || cell.tau == 0.6) moderate = std::max(moderate, cell.true_gap_percent);
  }
  return {.claim =
              "Where risk matters most (tau 0.1 and 0.9), the gap of the risk-neutral policy can "
              "exceed 6 %",
          .published = fmt::format("up to {:.2f} % ({})", paper.worst, place_of(paper)),
          .found = fmt::format("up to {:.2f} % ({}); at tau 0.4 and 0.6 at most {:.2f} %",
                               ours.true_gap_percent, place_of(ours), moderate),
          .verdict = holds_somewhere(ours.true_gap_percent > 6.0, table.coverage())};
}

JudgedFinding trained_is_close(const TrainedTables& tables, Coverage coverage) {
  const auto test = [](const PolicyTable& table) {
    const double td = table.mean("TD", &PolicyCell::true_gap_percent);
    const double newton = table.mean("Newton", &PolicyCell::true_gap_percent);
    const auto worst = [&](const char* algorithm, double PolicyCell::*gap) {
      return table.worst(algorithm, gap).*gap;
    };
    return TrainedTest{.holds = td < 0.2 && newton < 0.2,
                       .found = fmt::format(
                           "TD {:.4f} %, Newton {:.4f} % on average; at worst {:.4f} and {:.4f} % "
                           "(converged values, the last iteration)",
                           td, newton, worst("TD", &PolicyCell::true_gap_percent),
                           worst("Newton", &PolicyCell::true_gap_percent)),
                       .figure = std::max(td, newton)};
  };
  const PolicyTable& printed = tables.as_published();
  return judged(
      tables,
      {{.claim = "Policies trained with TD or Newton have a mean gap below 0.2 %",
        .published = fmt::format("TD {:.3f} %, Newton {:.3f} % on average; at worst {:.2f} and "
                                 "{:.2f} %",
                                 printed.printed("TD").mean, printed.printed("Newton").mean,
                                 printed.printed("TD").worst, printed.printed("Newton").worst),
        .figure = "larger mean gap in percent"}},
      test, coverage);
}

}  // namespace

Study table_m3(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const PolicyTableOptions table{
      .published = published_shelf_life_3,
      .training = {.iterations = is_quick ? 1 : 20, .sweep = is_quick ? Sweep::none : Sweep::all},
      .settings = settings_of({published_levels.begin(), published_levels.end()},
                              {published_costs.begin(), published_costs.end()})};
  return {.name = "table-m3",
          .title = "Policies at shelf life 3",
          .question =
              "What do six ordering policies for platelets cost from the empty stock, under "
              "five attitudes to risk and seven costs? Published values beside ours, under "
              "the published stopping rule and converged. " +
              two_trainings,
          .source = "Wang and Delage, appendix, table of policies for m = 3",
          .parts = policy_table_parts(table, options),
          .conclude = std::function([is_quick](const std::vector<SettingValues>& parts) {
            const TrainedTables tables(published_shelf_life_3, parts);
            const PolicyTable& found = tables.as_published();
            const Coverage trained = is_quick ? Coverage::sample : found.coverage();
            const JudgedFinding is_close = trained_is_close(tables, trained);
            return Results{
                .findings = {exact_cells_match(found, {"Optimal", "Static", "Myopic", "RN"}),
                             worst_gap(found, "Static"), worst_gap(found, "Myopic"),
                             myopic_is_mostly_close(found), neutral_is_mostly_better(found),
                             neutral_fails_under_risk(found), is_close, stopped_early(found),
                             optimum_has_a_gap(found)},
                .tables = {{"cells", found.cells()},
                           {"summary", found.summary_rows()},
                           {"trained", tables.gaps},
                           {"choices", tables.choices},
                           {"changed_sides", changed_sides({is_close})}},
                .facts = found.facts()};
          })};
}

}  // namespace shortfall::studies
