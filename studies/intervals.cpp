#include "studies/intervals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include "shortfall/numbers/infinity.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {
namespace {

namespace goals = interval_goals;

/// A state with fewer visits than this, and a weight of its own, may not be near its limit law.
constexpr double few_visits = 1000.0;

/// Iterates whose batches are correlated like this have not forgotten much within a batch.
constexpr double high_correlation = 0.5;

bool has_interval(const IntervalCell& cell) {
  return std::isfinite(cell.coverage);
}
bool meets_on_average(const IntervalCell& cell) {
  return cell.coverage >= goals::least_mean_coverage && cell.coverage <= goals::most_mean_coverage;
}
bool meets_in_every_state(const IntervalCell& cell) {
  return cell.least_coverage >= goals::least_state_coverage;
}

std::string setting_text(const IntervalCell& cell) {
  return fmt::format("{}, {}, tau {}", cell.chain, cell.features, cell.tau);
}

/// Whether the miss is within three standard errors of a share of 95 %.
bool may_be_noise(const IntervalCell& cell) {
  const double error = 3.0 * std::sqrt(0.95 * 0.05 / static_cast<double>(cell.runs));
  return meets_on_average(cell) && cell.least_coverage >= 0.95 - error;
}

std::string reason_of(const IntervalCell& cell) {
  if (may_be_noise(cell)) return fmt::format("within the noise of {} runs", cell.runs);
  std::vector<std::string> reasons;
  if (cell.largest_error > goals::most_error) {
    reasons.push_back(
        fmt::format("the error is {:.2f} asymptotic deviations in the worst state, the bias {:.2f}",
                    cell.largest_error, cell.largest_bias));
  }
  if (cell.algorithm == "averaged-td" && cell.batch_correlation > high_correlation) {
    reasons.push_back(fmt::format(
        "iterates of TD are correlated over much of the run (successive batches: {:.2f})",
        cell.batch_correlation));
  }
  if (cell.features == "one per state" && cell.least_coverage < goals::least_state_coverage &&
      cell.least_visits < few_visits) {
    reasons.push_back(
        fmt::format("the worst state is visited only about {:.0f} times", cell.least_visits));
  }
  if (cell.short_batches > 0.1) {
    reasons.push_back(
        fmt::format("{:.0f} % of the intervals have batches shorter than the chain's memory",
                    100.0 * cell.short_batches));
  }
  return reasons.empty() ? "not explained by errors, visits, batches or noise"
                         : fmt::format("{}", fmt::join(reasons, "; "));
}

/// The cells of the largest n with this algorithm and method.
std::vector<IntervalCell> final_cells(const IntervalTables& tables, std::string_view algorithm,
                                      std::string_view method) {
  std::uint64_t largest = 0;
  for (const IntervalCell& cell : tables.cells) largest = std::max(largest, cell.n);
  std::vector<IntervalCell> cells;
  std::ranges::copy_if(tables.cells, std::back_inserter(cells), [&](const IntervalCell& cell) {
    return cell.n == largest && cell.algorithm == algorithm && cell.method == method;
  });
  return cells;
}

Coverage scope_of(const std::vector<IntervalCell>& cells) {
  const IntervalScale full = interval_scale(Scale::full);
  const bool is_whole = std::ranges::all_of(cells, [&](const IntervalCell& cell) {
    return cell.n == full.updates.back() && cell.runs >= full.published_runs;
  });
  return is_whole && !cells.empty() ? Coverage::whole : Coverage::sample;
}

template <class Field>
Range range_of(const std::vector<IntervalCell>& cells, Field field) {
  Range range;
  for (const IntervalCell& cell : cells) range.add(cell.*field);
  return range;
}

std::string runs_text(const std::vector<IntervalCell>& cells) {
  if (cells.empty()) return "no runs";
  return fmt::format("{} settings, n = {}, {} runs each", cells.size(), cells.front().n,
                     cells.front().runs);
}

/// "; not at A: reason; B: reason; ..", of the cells that fail the three with the least coverage.
template <class Meets>
std::string exceptions_text(std::vector<IntervalCell> cells, Meets meets) {
  constexpr std::size_t most_shown = 3;
  std::erase_if(cells, meets);
  std::ranges::stable_sort(cells, {}, &IntervalCell::least_coverage);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(cells.size(), most_shown); ++i) {
    texts.push_back(fmt::format("{} ({:.1f} %, in one state {:.1f} %): {}", setting_text(cells[i]),
                                100.0 * cells[i].coverage, 100.0 * cells[i].least_coverage,
                                reason_of(cells[i])));
  }
  if (texts.empty()) return "";
  const std::size_t more = cells.size() - texts.size();
  return fmt::format("; not at {}{}", fmt::join(texts, "; "),
                     more > 0 ? fmt::format("; and {} more", more) : "");
}

Finding covers_on_average(const std::vector<IntervalCell>& cells, std::string claim) {
  const Range shares = range_of(cells, &IntervalCell::coverage);
  const Range widths = range_of(cells, &IntervalCell::width);
  return {
      .claim = std::move(claim),
      .found = fmt::format("{:.1f} to {:.1f} % ({}), at {:.2f} to {:.2f} times the asymptotic "
                           "width{}",
                           100.0 * shares.least, 100.0 * shares.most, runs_text(cells),
                           widths.least, widths.most, exceptions_text(cells, meets_on_average)),
      .verdict = holds_as_computed(std::ranges::all_of(cells, meets_on_average), scope_of(cells))};
}

Finding covers_in_every_state(const std::vector<IntervalCell>& cells) {
  const auto met = std::ranges::count_if(cells, meets_in_every_state);
  return {
      .claim =
          "95 % intervals of Newton by batch means hold the value in at least 92 % of "
          "runs in every state",
      .found = fmt::format("in {} of {} settings{}", met, cells.size(),
                           exceptions_text(cells, meets_in_every_state)),
      .verdict = holds_as_computed(static_cast<std::size_t>(met) == cells.size(), scope_of(cells))};
}

Finding is_no_wider_than_needed(const std::vector<IntervalCell>& cells) {
  const Range widths = range_of(cells, &IntervalCell::width);
  return {.claim =
              "Intervals by batch means are at most 1.15 times as wide as with the exact "
              "asymptotic covariance",
          .found = fmt::format("{:.2f} to {:.2f} times, on average over states", widths.least,
                               widths.most),
          .verdict = holds_as_computed(widths.most <= goals::most_width, scope_of(cells))};
}

Finding error_is_asymptotic(const std::vector<IntervalCell>& cells) {
  const Range errors = range_of(cells, &IntervalCell::error);
  const Range largest = range_of(cells, &IntervalCell::largest_error);
  return {.claim =
              "The error of Newton, whose early samples fade, is within 1.1 times the asymptotic "
              "deviation (root mean square, on average over states)",
          .found = fmt::format("{:.2f} to {:.2f} times; in the worst state {:.2f} times",
                               errors.least, errors.most, largest.most),
          .verdict = holds_as_computed(errors.most <= goals::most_error, scope_of(cells))};
}

/// The same paths: what differs is that the paper's recursion keeps all samples, those of its
/// warm-up included.
Finding published_is_farther_off(const std::vector<IntervalCell>& cells) {
  double linear = 0.0;
  std::size_t beyond = 0, curved = 0;
  const IntervalCell* worst = nullptr;
  for (const IntervalCell& cell : cells) {
    if (cell.tau == 0.5) {
      linear = std::max(linear, cell.error);
      continue;
    }
    ++curved;
    if (cell.error > goals::most_error) ++beyond;
    if (!worst || cell.error > worst->error) worst = &cell;
  }
  return {.claim =
              "The error of Newton as published is more than 1.1 times the asymptotic deviation in "
              "most settings whose loss is not linear (tau 0.7 and 0.9)",
          .found = worst ? fmt::format("in {} of {} settings, up to {:.3g} deviations ({}); at tau "
                                       "0.5 at most {:.2f} ({})",
                                       beyond, curved, worst->error, setting_text(*worst), linear,
                                       runs_text(cells))
                         : "no runs",
          .verdict = holds_as_computed(2 * beyond > curved, scope_of(cells))};
}

/// Needs no runs: it follows from the two covariances.
Finding autocovariances_matter(const std::vector<IntervalSettingRow>& settings) {
  double with_all = 1.0;
  const IntervalSettingRow* worst = nullptr;
  for (const IntervalSettingRow& row : settings) {
    const double share = row.least_coverage_without_autocovariances;
    if (row.features == "one per state") {
      with_all = std::min(with_all, share);
    } else if (!worst || share < worst->least_coverage_without_autocovariances) {
      worst = &row;
    }
  }
  if (!worst) return {.claim = "Autocovariances", .published = "", .found = "no settings"};
  const double least = worst->least_coverage_without_autocovariances;
  return {.claim =
              "Where features do not hold the value, intervals must count the "
              "autocovariances of the scores: without them the worst state would have less "
              "than 80 % instead of 95 % for large n; with one weight per state they are 0",
          .found = fmt::format("{:.1f} % ({}, tau {}); with one weight per state {:.1f} % at least",
                               100.0 * least, worst->chain, worst->tau, 100.0 * with_all),
          .verdict = verdict_of(least < 0.8 && with_all > 0.95 - 1e-6)};
}

constexpr std::array<double, 3> interval_levels = {0.5, 0.7, 0.9};

Results conclude_intervals(const std::vector<IntervalTables>& parts) {
  const IntervalTables all = joined(parts);
  Json tables = all;
  tables["misses"] = interval_misses(all.cells);
  return {.findings = of_our_own(interval_findings(all)), .tables = std::move(tables)};
}

}  // namespace

Json interval_misses(const std::vector<IntervalCell>& cells) {
  Json misses = Json::array();
  for (const IntervalCell& cell : cells) {
    if (!has_interval(cell) || (meets_on_average(cell) && meets_in_every_state(cell))) continue;
    const Json fields = cell;
    Json& miss = misses.emplace_back();
    for (const char* const key : {"chain", "features", "tau", "n", "algorithm", "method",
                                  "coverage", "least_coverage", "least_visits"}) {
      miss[key] = fields[key];
    }
    miss["why"] = reason_of(cell);
  }
  return misses;
}

std::vector<Finding> interval_findings(const IntervalTables& tables) {
  const std::vector<IntervalCell> newton = final_cells(tables, "newton", "batch-means");
  return {covers_on_average(newton,
                            "95 % intervals of Newton by batch means hold the value in 93 to 97 % "
                            "of runs, on average over states"),
          covers_in_every_state(newton),
          is_no_wider_than_needed(newton),
          covers_on_average(final_cells(tables, "newton", "random-scaling"),
                            "95 % intervals of Newton by random scaling hold the value in 93 to "
                            "97 % of runs, on average over states"),
          covers_on_average(final_cells(tables, "averaged-td", "random-scaling"),
                            "95 % intervals of averaged TD by random scaling hold the value in 93 "
                            "to 97 % of runs on the random chain, on average over states"),
          error_is_asymptotic(newton),
          published_is_farther_off(final_cells(tables, "newton-as-published", "")),
          autocovariances_matter(tables.settings)};
}

Study intervals(const StudyOptions& options) {
  Study study{.name = "intervals",
              .title = "Intervals for values learned online",
              .question =
                  "How often do 95 % intervals from one run hold the value that the run is "
                  "learning, and how wide are they, beside the exact asymptotic covariance? On a "
                  "chain that mixes fast, a slow one, and platelets of shelf life 3; expectiles of "
                  "three levels; features that hold the value, and fewer.",
              .source = "our own: Wang and Delage mention variance estimators as possible",
              .conclude = conclude_intervals};
  for (const std::string_view chain : interval_chains) {
    for (const std::string_view features : interval_features) {
      for (const double tau : interval_levels) {
        const IntervalSetting setting{std::string(chain), std::string(features), tau};
        study.parts.push_back(
            {.name = fmt::format("{},{},tau={}", chain,
                                 features == "fewer" ? "fewer" : "one-per-state", tau),
             .seconds = options.scale == Scale::full ? 8.0 : 0.1,
             .compute = [setting, options](const OnProgress& on_progress) {
               return interval_runs(interval_problem(setting), interval_scale(options.scale),
                                    options, on_progress);
             }});
      }
    }
  }
  return study;
}

}  // namespace shortfall::studies
