#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/policy_table.hpp"

namespace shortfall::studies {
namespace {

/// Compares a trained policy with the printed bound on its gap.
JudgedFinding trained_worst_gap(const TrainedTables& tables, const std::string& algorithm,
                                Coverage coverage) {
  const PrintedGaps paper = tables.as_published().printed(algorithm);
  const auto test = [&](const PolicyTable& table) {
    const PolicyCell worst = table.worst(algorithm, &PolicyCell::ours_gap_percent);
    const PolicyCell best = table.worst(algorithm, &PolicyCell::best_true_gap_percent);
    return TrainedTest{
        .holds = worst.ours_gap_percent <= paper.worst + same_gap,
        .found = fmt::format(
            "at worst {:.2f} % ({}), {:.3f} % on average (published rule, the last "
            "iteration; the best one, known only from exact values, has a true gap "
            "of {:.2f} % at worst)",
            worst.ours_gap_percent, place_of(worst),
            table.mean(algorithm, &PolicyCell::ours_gap_percent), best.best_true_gap_percent),
        .figure = worst.ours_gap_percent};
  };
  return judged(tables,
                {{.claim = fmt::format("Policies trained with {} have no gap above {:.2f} %",
                                       algorithm, paper.worst),
                  .published = fmt::format("at worst {:.2f} % ({}), {:.3f} % on average",
                                           paper.worst, place_of(paper), paper.mean),
                  .figure = "worst gap in percent"},
                 algorithm},
                test, coverage);
}

/// The savings of trained policies over the risk-neutral one, in percent.
Range savings_at(const PolicyTable& table, double tau, double PolicyCell::*value) {
  Range savings;
  for (const PolicyCell& neutral : table.of("RN")) {
    if (neutral.tau != tau) continue;
    for (const char* const algorithm : {"TD", "Newton"}) {
      savings.add(100.0 *
                  (1.0 - table.in_same_setting(neutral, algorithm).*value / (neutral.*value)));
    }
  }
  return savings;
}

/// Confirmed if both trained policies are better in every setting, and by more than `published`
/// percent in one.
JudgedFinding risk_matters(const TrainedTables& tables, double tau, double published,
                           Coverage coverage) {
  const Range paper = savings_at(tables.as_published(), tau, &PolicyCell::paper);
  const auto test = [&](const PolicyTable& table) {
    const Range saving = savings_at(table, tau, &PolicyCell::converged);
    return TrainedTest{
        .holds = saving.least > 0.0 && saving.most > published,
        .found = fmt::format("better by {:.2f} to {:.2f} % (converged values, TD and Newton)",
                             saving.least, saving.most),
        .figure = saving.least};
  };
  return judged(
      tables,
      {{.claim = fmt::format("At tau {} trained policies are always better than the risk-neutral "
                             "one, at best by more than {} %",
                             tau, published),
        .published = fmt::format("better by {:.2f} to {:.2f} %", paper.least, paper.most),
        .figure = "smallest saving in percent"}},
      test, coverage);
}

/// Settings where the static policy is better than another.
struct Wins {
  std::size_t count = 0;
  std::size_t settings = 0;
  std::string losses = {};  ///< where it is not better
};

Wins static_wins(const PolicyTable& table, double PolicyCell::*value,
                 const std::function<bool(double)>& takes_level) {
  Wins wins;
  for (const PolicyCell& cell : table.of("Static")) {
    if (!takes_level(cell.tau)) continue;
    ++wins.settings;
    if (cell.*value < table.in_same_setting(cell, "Myopic").*value) {
      ++wins.count;
    } else {
      wins.losses += fmt::format("{}{}", wins.losses.empty() ? "" : "; ", place_of(cell));
    }
  }
  return wins;
}

Finding static_is_mostly_better(const PolicyTable& table) {
  const auto all = [](double) { return true; };
  const Wins paper = static_wins(table, &PolicyCell::paper, all);
  const Wins ours = static_wins(table, &PolicyCell::converged, all);
  return {
      .claim = "The static policy is better than the myopic policy in most settings",
      .published = fmt::format("in {} settings", out_of(paper.count, paper.settings)),
      .found = fmt::format("in {} settings (converged values)", out_of(ours.count, ours.settings)),
      .verdict = holds_as_computed(2 * ours.count > ours.settings, table.coverage())};
}

Finding static_dominates(const PolicyTable& table) {
  const auto moderate = [](double tau) { return tau == 0.4 || tau == 0.6; };
  const Wins paper = static_wins(table, &PolicyCell::paper, moderate);
  const Wins ours = static_wins(table, &PolicyCell::converged, moderate);
  return {
      .claim = "At tau 0.4 and 0.6 the static policy is better than the myopic one at all costs",
      .published = fmt::format("at all costs, in the text; by its printed values in {} settings",
                               out_of(paper.count, paper.settings)),
      .found =
          fmt::format("in {} settings (converged values){}{}", out_of(ours.count, ours.settings),
                      ours.losses.empty() ? "" : ", not at ", ours.losses),
      .verdict = holds_everywhere(ours.count == ours.settings, table.coverage())};
}

JudgedFinding static_beats_trained(const TrainedTables& tables, Coverage coverage) {
  const auto test = [](const PolicyTable& table) {
    std::size_t settings = 0;
    double most = 0.0;
    const std::vector<PolicyCell> cells = table.of("Static");
    for (const PolicyCell& cell : cells) {
      const double trained = std::max(table.in_same_setting(cell, "TD").true_gap_percent,
                                      table.in_same_setting(cell, "Newton").true_gap_percent);
      settings += trained > cell.true_gap_percent ? 1U : 0U;
      most = std::max(most, trained - cell.true_gap_percent);
    }
    return TrainedTest{.holds = settings >= 2 && most < 1.0,
                       .found = fmt::format("in {} settings (converged values), by at most {:.4f} "
                                            "% of the optimum",
                                            out_of(settings, cells.size()), most),
                       .figure = most};
  };
  std::size_t in_print = 0;
  const PolicyTable& printed = tables.as_published();
  const std::vector<PolicyCell> cells = printed.of("Static");
  for (const PolicyCell& cell : cells) {
    const double trained = std::max(printed.in_same_setting(cell, "TD").paper,
                                    printed.in_same_setting(cell, "Newton").paper);
    in_print += cell.paper < trained ? 1U : 0U;
  }
  return judged(
      tables,
      {{.claim = "In several settings the static policy is slightly better than a trained one "
                 "(criterion: in two or more, by less than 1 %)",
        .published = fmt::format("in {} settings", out_of(in_print, cells.size())),
        .figure = "largest difference in percent"}},
      test, coverage);
}

Finding gaps_of_the_rule(const PolicyTable& table) {
  double most_share = 0.0;
  Range printed, true_gaps;
  for (const PolicyCell& cell : table.of("Static")) {
    if (cell.tau != 0.1) continue;
    most_share = std::max(most_share, cell.true_gap_percent / cell.paper_gap_percent);
    printed.add(cell.paper_gap_percent);
    true_gaps.add(cell.true_gap_percent);
  }
  return {
      .claim =
          "The gaps printed for the static policy at tau 0.1 are mostly an effect of the "
          "stopping rule: the true ones are less than half as large at all costs",
      .published = fmt::format("gaps of {:.2f} to {:.2f} %", printed.least, printed.most),
      .found = fmt::format("true gaps of {:.4f} to {:.4f} %, at most {:.2f} times the printed ones",
                           true_gaps.least, true_gaps.most, most_share),
      .verdict = holds_everywhere(most_share < 0.5, table.coverage()),
      .origin = Origin::ours};
}

JudgedFinding exact_improvement_is_closer(const TrainedTables& tables, Coverage coverage) {
  struct Sum {
    double worst = 0.0;
    double sum = 0.0;
    void add(double gap) {
      worst = std::max(worst, gap);
      sum += gap;
    }
  };
  return judged(
      {.claim = "Exact improvement, which the paper could not afford at this shelf life, gives "
                "smaller gaps than improvement from 50 simulated transitions, at worst and on "
                "average",
       .published = "",
       .figure = "",
       .origin = Origin::ours},
      published_names({}), [&](std::string_view choice) {
        Sum exact;
        Sum sampled;
        const std::vector<ExactImprovement>& rows = tables.by(choice).exact_improvement();
        for (const ExactImprovement& row : rows) {
          exact.add(row.true_gap_percent);
          sampled.add(row.sampled_true_gap_percent);
        }
        const auto n = static_cast<double>(rows.size());
        return Tested{
            holds_as_computed(exact.worst < sampled.worst && exact.sum < sampled.sum, coverage),
            fmt::format(
                "at worst {:.3f} % instead of {:.3f} %, on average {:.4f} % instead of {:.4f} % "
                "(TD and Newton)",
                exact.worst, sampled.worst, exact.sum / n, sampled.sum / n)};
      });
}

Results conclude_m5(const std::vector<SettingValues>& parts, Scale scale) {
  const TrainedTables tables(published_shelf_life_5, parts);
  const PolicyTable& table = tables.as_published();
  const Coverage trained = scale == Scale::quick ? Coverage::sample : table.coverage();
  const std::vector<JudgedFinding> of_trained{
      trained_worst_gap(tables, "TD", trained), trained_worst_gap(tables, "Newton", trained),
      risk_matters(tables, 0.1, 5.0, trained),  risk_matters(tables, 0.9, 18.0, trained),
      static_beats_trained(tables, trained),    exact_improvement_is_closer(tables, trained)};
  std::vector<ExactImprovement> exact = table.exact_improvement();
  std::ranges::copy(tables.ours.exact_improvement(), std::back_inserter(exact));
  return {
      .findings = {exact_cells_match(table, {"Optimal", "Static", "Myopic"}),
                   exact_cells_match(table, {"RN"}), of_trained[0], of_trained[1],
                   worst_gap(table, "Static"), worst_gap(table, "Myopic"), worst_gap(table, "RN"),
                   of_trained[2], of_trained[3], static_is_mostly_better(table),
                   static_dominates(table), of_trained[4], stopped_early(table),
                   optimum_has_a_gap(table), gaps_of_the_rule(table), of_trained[5]},
      .tables = {{"cells", table.cells()},
                 {"summary", table.summary_rows()},
                 {"trained", tables.gaps},
                 {"choices", tables.choices},
                 {"exact_improvement", exact},
                 {"changed_sides", changed_sides(of_trained)}},
      .facts = table.facts()};
}

}  // namespace

Study table_m5(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  std::vector<StockSetting> settings = settings_of(
      {published_levels.begin(), published_levels.end()},
      {published_costs.begin(), is_quick ? published_costs.begin() + 1 : published_costs.end()});
  if (is_quick) {  // where static orders are worse than myopic ones
    settings.push_back({0.6, published_cost(10, 1, 20, 80)});
    settings.push_back({0.9, published_cost(10, 1, 20, 80)});
  }
  const PolicyTableOptions table{.published = published_shelf_life_5,
                                 .training = {.iterations = is_quick ? 1 : 20,
                                              .scenarios = 50,
                                              .also_improved_exactly = true,
                                              .sweep = is_quick ? Sweep::none : Sweep::main_text},
                                 .settings = settings};
  return {
      .name = "table-m5",
      .title = "Policies at shelf life 5",
      .question =
          "What do six ordering policies for platelets cost from the empty stock, where "
          "the paper had to improve policies from samples? Published values beside ours, "
          "under the published stopping rule and converged. " +
          two_trainings,
      .source = "Wang and Delage, section 6.2 and appendix, tables of policies for m = 5",
      .parts = policy_table_parts(table, options),
      .conclude = std::function([scale = options.scale](const std::vector<SettingValues>& found) {
        return conclude_m5(found, scale);
      })};
}

}  // namespace shortfall::studies
