#include "studies/figure_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "published/platelets.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "studies/findings.hpp"
#include "studies/stock_setting.hpp"
#include "studies/training_choices.hpp"

namespace shortfall::studies {
namespace {

using inventory::SimulationResult;

struct CostScale {
  int iterations = 20;
  Taken choices = Taken::alone;  ///< of what the paper leaves open
  std::size_t replications = 100'000;
  std::size_t periods = 40;  // 0.6⁴⁰ is 1e-9
};

Policy trained_orders(const inventory::Model& model, double tau, const TrainingChoice& choice,
                      const CostScale& plan, const StudyOptions& options) {
  inventory::Training training(
      model, criterion_of(tau),
      {.algorithm = learn::Algorithm::td, .evaluation = choice.method, .seed = options.seed}, {},
      {.threads = options.threads});
  for (int k = 0; k < plan.iterations; ++k) training.iterate();
  return training.state().orders;
}

CostSummary summary_of(const SimulationResult& result) {
  double squares = 0.0;
  for (const double cost : result.discounted_cost) {
    squares += (cost - result.mean) * (cost - result.mean);
  }
  const double n = static_cast<double>(result.discounted_cost.size());
  return {.mean = result.mean,
          .standard_error = result.standard_error,
          .standard_deviation = std::sqrt(squares / (n - 1.0)),
          .q05 = result.quantile(0.05),
          .q50 = result.quantile(0.5),
          .q95 = result.quantile(0.95),
          .q99 = result.quantile(0.99),
          .cost_per_period = result.cost_per_period,
          .service_level = result.service_level,
          .wastage_rate = result.wastage_rate};
}

std::vector<double> quantiles_of(const SimulationResult& result) {
  std::vector<double> quantiles;
  std::vector<double> sorted = result.discounted_cost;
  std::ranges::sort(sorted);
  for (int i = 0; i <= distribution_steps; ++i) {
    // The ⌈q R⌉-th smallest, as in SimulationResult, but sorted once for all.
    const std::size_t rank =
        (static_cast<std::size_t>(i) * sorted.size() + distribution_steps - 1) / distribution_steps;
    quantiles.push_back(sorted[rank == 0 ? 0 : rank - 1]);
  }
  return quantiles;
}

/// All levels of one cost, on identical random draws, so that differences are paired.
SimulatedCosts simulate_costs(const inventory::Model& model, const TrainingChoice& choice,
                              const CostScale& plan, const StudyOptions& options) {
  std::vector<SimulationResult> results;
  SimulatedCosts part{.cost = cost_text(model.cost(0)), .choice = choice.name};
  for (const double tau : pictured_levels) {
    const Policy orders = trained_orders(model, tau, choice, plan, options);
    results.push_back(inventory::simulate(model, orders,
                                          {.periods = plan.periods,
                                           .replications = plan.replications,
                                           .gamma = platelets_gamma,
                                           .seed = options.seed},
                                          {.threads = options.threads}));
    part.levels.push_back({tau, summary_of(results.back()), quantiles_of(results.back())});
  }
  const auto& seeking = results[0].discounted_cost;
  const auto& neutral = results[1].discounted_cost;
  const auto& averse = results[2].discounted_cost;
  const double extreme = results[1].quantile(0.95);
  part.mean_seeking_above_neutral = mean_difference(seeking, neutral);
  part.mean_averse_above_neutral = mean_difference(averse, neutral);
  part.variance_seeking_above_neutral = variance_difference(seeking, neutral);
  part.variance_neutral_above_averse = variance_difference(neutral, averse);
  part.extremes_seeking_above_neutral = exceedance_difference(seeking, neutral, extreme);
  part.extremes_neutral_above_averse = exceedance_difference(neutral, averse, extreme);
  part.distance_seeking_averse = kolmogorov_distance(seeking, averse);
  return part;
}

std::vector<TrainingChoice> cost_choices_of(const CostScale& plan) {
  return choices_and_ours(learn::Algorithm::td, Improvement::exact, plan.choices);
}

CostsOfChoices simulate_choices(const inventory::Costs& cost, const CostScale& plan,
                                const StudyOptions& options, const OnProgress& on_progress) {
  const inventory::Model model = platelets(3, {.cost = cost});
  CostsOfChoices part;
  const std::vector<TrainingChoice> choices = cost_choices_of(plan);
  for (const TrainingChoice& choice : choices) {
    part.choices.push_back(simulate_costs(model, choice, plan, options));
    on_progress(static_cast<double>(part.choices.size()) / static_cast<double>(choices.size()));
  }
  return part;
}

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

Tested disperses_when_seeking(const AllCosts& parts) {
  const Spread spread = spread_of(parts, &SimulatedCosts::variance_seeking_above_neutral,
                                  &SimulatedCosts::extremes_seeking_above_neutral);
  return {.verdict = spread.verdict(),
          .found = fmt::format("difference of variance {}; of the frequency of extremes {}",
                               spread.variance.text, spread.extremes.text),
          .figure = spread.variance.least};
}

Tested concentrates_when_averse(const AllCosts& parts) {
  const Spread spread = spread_of(parts, &SimulatedCosts::variance_neutral_above_averse,
                                  &SimulatedCosts::extremes_neutral_above_averse);
  return {.verdict = spread.verdict(),
          .found = fmt::format("excess of tau 0.5: variance {}; frequency of extremes {}",
                               spread.variance.text, spread.extremes.text),
          .figure = spread.variance.least};
}

Tested neutral_is_cheapest(const AllCosts& parts) {
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

Tested alike_where_wastage_is_expensive(const AllCosts& parts) {
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
  Statement statement;
  Tested (*test)(const AllCosts&);
};

/// All of them.
std::vector<CostStatement> cost_statements() {
  const std::string published = "seen in the figure";
  return {
      {{"Seeking risk (tau 0.1) makes costs more dispersed and extreme ones more frequent than "
        "at tau 0.5 (criterion: variance, and costs above the 95 % quantile of tau 0.5; wastage "
        "not expensive)",
        published, "smallest difference of variance"},
       disperses_when_seeking},
      {{"Avoiding risk (tau 0.9) makes costs less dispersed and extreme ones less frequent than "
        "at tau 0.5 (same criterion; wastage not expensive)",
        published, "smallest difference of variance"},
       concentrates_when_averse},
      {{"The risk-neutral policy (tau 0.5) has the smallest mean cost, at all three costs (by two "
        "standard errors of paired differences)",
        published, "smallest difference of means"},
       neutral_is_cheapest},
      {{"Where wastage is expensive, at (10,1,20,50), the distributions of cost are nearly the "
        "same for all tau (criterion: distribution functions of tau 0.1 and 0.9 differ by at "
        "most 0.05, and by less than half as much as at other costs)",
        published, "largest difference where wastage is expensive"},
       alike_where_wastage_is_expensive}};
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
  std::vector<std::string> choices;
  for (const SimulatedCosts& first : parts.front().choices) choices.push_back(first.choice);
  std::vector<JudgedFinding> findings;
  for (const auto& [statement, test] : cost_statements()) {
    findings.push_back(judged(
        statement, published_names(choices),
        [&, test = test](std::string_view choice) { return test(costs_of(parts, choice)); }));
  }
  return {.findings = {findings.begin(), findings.end()},
          .tables = {{"distribution", distribution},
                     {"summary", summary},
                     {"changed_sides", changed_sides(findings)}}};
}

Study figure_costs(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const CostScale plan =
      is_quick ? CostScale{.iterations = 2, .choices = Taken::first, .replications = 10'000}
               : CostScale{};
  std::vector<Part> parts;
  for (const inventory::Costs& cost : pictured_costs) {
    const std::string name = name_of(StockSetting{0.0, cost});
    parts.push_back({name.substr(name.find("cost=")),
                     static_cast<double>(cost_choices_of(plan).size()) *
                         (0.05 * plan.iterations + (is_quick ? 0.1 : 0.6)),
                     [=](const OnProgress& on_progress) {
                       return simulate_choices(cost, plan, options, on_progress);
                     }});
  }
  return {.name = "figure-costs",
          .title = "Costs under trained policies at shelf life 3",
          .question =
              "How is the discounted cost distributed when orders follow policies trained "
              "with TD under three attitudes to risk? All start from the empty stock, on identical "
              "random demand and deliveries. " +
              two_trainings,
          .source = "Wang and Delage, section 6.2, figure of simulated costs",
          .parts = std::move(parts),
          .conclude = conclude_costs};
}

}  // namespace shortfall::studies
