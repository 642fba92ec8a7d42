#include "studies/cost_distributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "studies/stock_setting.hpp"
#include "studies/training_choices.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {
namespace {

double mean_of(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

/// Mean and standard error of f(x_i, y_i).
template <class Function>
PairedDifference paired(std::span<const double> x, std::span<const double> y, Function&& f) {
  std::vector<double> values(x.size());
  std::ranges::transform(x, y, values.begin(), f);
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double n = static_cast<double>(values.size());
  return {mean, std::sqrt(squares / (n - 1.0) / n)};
}

using AllCosts = std::vector<SimulatedCosts>;
using Member = PairedDifference SimulatedCosts::*;

/// A statement about a difference, checked at several costs.
struct Difference {
  Verdict verdict = Verdict::confirmed;
  std::string text = {};
  double least = std::numeric_limits<double>::infinity();

  void add(const SimulatedCosts& part, Member member, const char* unit = "", double scale = 1.0) {
    const auto& [mean, error] = part.*member;
    verdict = all_of({verdict, is_positive(mean, error)});
    least = std::min(least, scale * mean);
    text += fmt::format("{}{} {:+.3g} ± {:.1g}{}", text.empty() ? "" : ", ", part.cost,
                        scale * mean, scale * error, unit);
  }
};

/// For expensive wastage, the paper itself says that risk makes no difference.
bool has_expensive_wastage(const SimulatedCosts& part) {
  return part.cost == cost_text(pictured_costs[2]);
}

/// By how much one attitude exceeds another in variance and extremes, except where wastage is
/// expensive.
struct Spread {
  Difference variance = {};
  Difference extremes = {};
  Verdict verdict() const { return all_of({variance.verdict, extremes.verdict}); }
};

Spread spread_of(const AllCosts& parts, Member variance, Member extremes) {
  Spread spread;
  for (const SimulatedCosts& part : parts) {
    if (has_expensive_wastage(part)) continue;
    spread.variance.add(part, variance);
    spread.extremes.add(part, extremes, " %", 100.0);
  }
  return spread;
}

/// A statement tested on the costs of one choice. The figure is its smallest difference.
struct CostTest {
  Verdict verdict;
  std::string found;
  double figure;
};

CostTest disperses_when_seeking(const AllCosts& parts) {
  const Spread spread = spread_of(parts, &SimulatedCosts::variance_seeking_above_neutral,
                                  &SimulatedCosts::extremes_seeking_above_neutral);
  return {.verdict = spread.verdict(),
          .found = fmt::format("difference of variance {}; of the frequency of extremes {}",
                               spread.variance.text, spread.extremes.text),
          .figure = spread.variance.least};
}

CostTest concentrates_when_averse(const AllCosts& parts) {
  const Spread spread = spread_of(parts, &SimulatedCosts::variance_neutral_above_averse,
                                  &SimulatedCosts::extremes_neutral_above_averse);
  return {.verdict = spread.verdict(),
          .found = fmt::format("excess of tau 0.5: variance {}; frequency of extremes {}",
                               spread.variance.text, spread.extremes.text),
          .figure = spread.variance.least};
}

CostTest neutral_is_cheapest(const AllCosts& parts) {
  Difference seeking;
  Difference averse;
  bool is_beaten = false;
  std::size_t clear_cases = 0;
  for (const SimulatedCosts& part : parts) {
    for (const auto& [mean, error] :
         {part.mean_seeking_above_neutral, part.mean_averse_above_neutral}) {
      const Verdict verdict = is_positive(mean, error);
      is_beaten = is_beaten || verdict == Verdict::refuted;
      clear_cases += verdict == Verdict::confirmed ? 1U : 0U;
    }
    seeking.add(part, &SimulatedCosts::mean_seeking_above_neutral);
    averse.add(part, &SimulatedCosts::mean_averse_above_neutral);
  }
  const bool is_clear = clear_cases == 2 * parts.size();
  return {.verdict = is_beaten  ? Verdict::refuted
                     : is_clear ? Verdict::confirmed
                                : Verdict::open,
          .found = fmt::format("tau 0.1 costs more by {}; tau 0.9 by {}; clear in {} of {} cases",
                               seeking.text, averse.text, clear_cases, 2 * parts.size()),
          .figure = std::min(seeking.least, averse.least)};
}

CostTest alike_where_wastage_is_expensive(const AllCosts& parts) {
  double expensive = 1.0;
  double others = 1.0;
  std::string text;
  for (const SimulatedCosts& part : parts) {
    const double distance = part.distance_seeking_averse;
    double& smallest = has_expensive_wastage(part) ? expensive : others;
    smallest = std::min(smallest, distance);
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", part.cost, distance);
  }
  return {.verdict = verdict_of(expensive <= 0.05 && 2.0 * expensive < others),
          .found = fmt::format("largest difference: {}", text),
          .figure = expensive};
}

struct CostStatement {
  std::string claim;
  std::string figure;
  CostTest (*test)(const AllCosts&);
};

/// All of them.
std::vector<CostStatement> statements() {
  return {
      {"Seeking risk (tau 0.1) makes costs more dispersed and extreme ones more frequent than "
       "at tau 0.5 (criterion: variance, and costs above the 95 % quantile of tau 0.5; wastage "
       "not expensive)",
       "smallest difference of variance", disperses_when_seeking},
      {"Avoiding risk (tau 0.9) makes costs less dispersed and extreme ones less frequent than "
       "at tau 0.5 (same criterion; wastage not expensive)",
       "smallest difference of variance", concentrates_when_averse},
      {"The risk-neutral policy (tau 0.5) has the smallest mean cost, at all three costs (by two "
       "standard errors of paired differences)",
       "smallest difference of means", neutral_is_cheapest},
      {"Where wastage is expensive, at (10,1,20,50), the distributions of cost are nearly the "
       "same for all tau (criterion: distribution functions of tau 0.1 and 0.9 differ by at "
       "most 0.05, and by less than half as much as at other costs)",
       "largest difference where wastage is expensive", alike_where_wastage_is_expensive}};
}

/// The costs of all parts under one choice.
AllCosts costs_of(const std::vector<CostsOfChoices>& parts, std::string_view choice) {
  AllCosts costs;
  for (const CostsOfChoices& part : parts) {
    std::ranges::copy_if(part.choices, std::back_inserter(costs),
                         [&](const SimulatedCosts& found) { return found.choice == choice; });
  }
  return costs;
}

JudgedFinding judged_costs(const std::vector<CostsOfChoices>& parts,
                           const CostStatement& statement) {
  const auto tested = [&](std::string_view choice) {
    const auto [verdict, found, figure] = statement.test(costs_of(parts, choice));
    return JudgedChoice{std::string(choice), verdict, found, figure};
  };
  Judgement judgement{.claim = statement.claim,
                      .published = "seen in the figure",
                      .figure = statement.figure,
                      .choices = {},
                      .ours = tested(our_column)};
  for (const SimulatedCosts& first : parts.front().choices) {
    if (first.choice != our_column) judgement.choices.push_back(tested(first.choice));
  }
  return judged(judgement);
}

}  // namespace

PairedDifference mean_difference(std::span<const double> x, std::span<const double> y) {
  return paired(x, y, [](double a, double b) { return a - b; });
}

PairedDifference variance_difference(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  return paired(x, y, [=](double a, double b) {
    return (a - mean_x) * (a - mean_x) - (b - mean_y) * (b - mean_y);
  });
}

PairedDifference exceedance_difference(std::span<const double> x, std::span<const double> y,
                                       double bound) {
  return paired(
      x, y, [=](double a, double b) { return (a > bound ? 1.0 : 0.0) - (b > bound ? 1.0 : 0.0); });
}

double kolmogorov_distance(std::span<const double> x, std::span<const double> y) {
  std::vector<double> a(x.begin(), x.end());
  std::vector<double> b(y.begin(), y.end());
  std::ranges::sort(a);
  std::ranges::sort(b);
  double distance = 0.0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == at) ++i;
    while (j < b.size() && b[j] == at) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                           static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return distance;
}

Results conclude_costs(const std::vector<CostsOfChoices>& parts) {
  Json distribution = Json::array();
  Json summary = Json::array();
  for (const std::string_view training : {published_column, our_column}) {
    for (const SimulatedCosts& costs : costs_of(parts, training)) {
      for (const LevelCosts& level : costs.levels) {
        Json row = {{"cost", costs.cost}, {"tau", level.tau}, {"training", training}};
        for (std::size_t i = 0; i < level.quantiles.size(); ++i) {
          Json point = row;
          point["probability"] = static_cast<double>(i) / distribution_steps;
          point["discounted_cost"] = level.quantiles[i];
          distribution.push_back(std::move(point));
        }
        row.update(Json(level.summary));
        summary.push_back(std::move(row));
      }
    }
  }
  std::vector<JudgedFinding> findings;
  for (const CostStatement& statement : statements()) {
    findings.push_back(judged_costs(parts, statement));
  }
  return {.findings = {findings.begin(), findings.end()},
          .tables = {{"distribution", distribution},
                     {"summary", summary},
                     {"changed_sides", changed_sides(findings)}}};
}

}  // namespace shortfall::studies
