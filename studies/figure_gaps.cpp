#include "studies/figure_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "published/platelets.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "studies/findings.hpp"
#include "studies/stock_setting.hpp"
#include "studies/training_choices.hpp"

namespace shortfall::studies {
namespace {

using inventory::Training;
using learn::Algorithm;

struct GapScale {
  int seeds = 5;
  int seeds_of_other_choices = 2;  ///< of what the paper leaves open; 0: none of them
  int iterations = 20;
};

/// Gaps of the policies of all iterations in percent, the myopic policy first.
GapCurve gaps_of(const Training& training, double optimum) {
  GapCurve gaps;
  for (const inventory::TrainingRecord& record : training.state().trace) {
    gaps.push_back(100.0 * (record.value_at_empty - optimum) / optimum);
  }
  return gaps;
}

/// One way to train, with its number of seeds.
struct Plan {
  Algorithm algorithm;
  TrainingChoice choice;
  int seeds;
};

std::vector<Plan> plans_of(const GapScale& scale) {
  std::vector<Plan> plans;
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    for (const TrainingChoice& choice : published_choices(algorithm, Improvement::exact)) {
      const bool is_default = choice.name == published_column;
      plans.push_back({algorithm, choice, is_default ? scale.seeds : scale.seeds_of_other_choices});
    }
    plans.push_back({algorithm, our_choice(), scale.seeds});
  }
  std::erase_if(plans, [](const Plan& plan) { return plan.seeds == 0; });
  return plans;
}

int trainings_of(const std::vector<Plan>& plans) {
  int count = 0;
  for (const Plan& plan : plans) count += plan.seeds;
  return count;
}

SettingGaps train(const StockSetting& setting, const GapScale& scale, const StudyOptions& options,
                  const OnProgress& on_progress) {
  const inventory::Model model = platelets(3, {.cost = setting.cost});
  const Criterion criterion = criterion_of(setting.tau);
  const double optimum =
      inventory::solve(model, criterion, {}, {.threads = options.threads}).values.front();
  SettingGaps part{.cost = cost_text(setting.cost), .tau = setting.tau};
  const std::vector<Plan> plans = plans_of(scale);
  int done = 0;
  for (const Plan& plan : plans) {
    TrainedCurves curves{.algorithm = plan.algorithm == Algorithm::td ? "TD" : "Newton",
                         .choice = plan.choice.name};
    for (int seed = 0; seed < plan.seeds; ++seed) {
      Training training(model, criterion,
                        {.algorithm = plan.algorithm,
                         .evaluation = plan.choice.method,
                         .seed = options.seed + static_cast<std::uint64_t>(seed)},
                        {}, {.threads = options.threads});
      for (int k = 0; k < scale.iterations; ++k) training.iterate();
      curves.seeds.push_back(gaps_of(training, optimum));
      for (const inventory::TrainingRecord& record : training.state().trace) {
        curves.singular += record.singular;
        curves.diverged += record.diverged;
      }
      on_progress(static_cast<double>(++done) / trainings_of(plans));
    }
    part.curves.push_back(std::move(curves));
  }
  return part;
}

/// Trainings of one setting with one algorithm, one per seed.
struct Curves {
  std::string cost;
  double tau;
  std::string algorithm;
  std::vector<GapCurve> seeds;

  std::size_t iterations() const { return seeds.front().size() - 1; }

  template <class Fold>
  double over_seeds(std::size_t iteration, double first, Fold fold) const {
    for (const GapCurve& curve : seeds) first = fold(first, curve[iteration]);
    return first;
  }
  double mean(std::size_t iteration) const {
    return over_seeds(iteration, 0.0, std::plus<>()) / static_cast<double>(seeds.size());
  }
  double least(std::size_t iteration) const {
    return over_seeds(iteration, std::numeric_limits<double>::infinity(),
                      [](double a, double b) { return std::min(a, b); });
  }
  double most(std::size_t iteration) const {
    return over_seeds(iteration, -std::numeric_limits<double>::infinity(),
                      [](double a, double b) { return std::max(a, b); });
  }
};

/// By setting TD and then Newton, both trained by a choice; as published by default where an
/// algorithm does not have it.
std::vector<Curves> curves_of(const std::vector<SettingGaps>& parts, std::string_view choice) {
  std::vector<Curves> all;
  for (const SettingGaps& part : parts) {
    for (const char* const algorithm : {"TD", "Newton"}) {
      const auto find = [&](std::string_view name) {
        return std::ranges::find_if(part.curves, [&](const TrainedCurves& curves) {
          return curves.algorithm == algorithm && curves.choice == name;
        });
      };
      const bool has_choice = find(choice) != part.curves.end();
      const auto found = find(has_choice ? choice : published_column);
      all.push_back({part.cost, part.tau, algorithm, found->seeds});
    }
  }
  return all;
}

constexpr std::size_t published_iterations = 20;

/// The largest gap of an algorithm over settings and seeds, from iteration `from` on.
double most_from(const std::vector<Curves>& all, std::string_view algorithm, std::size_t from) {
  double most = 0.0;
  for (const Curves& curves : all) {
    if (curves.algorithm != algorithm) continue;
    for (std::size_t k = from; k <= curves.iterations(); ++k) most = std::max(most, curves.most(k));
  }
  return most;
}

/// The first iteration after which the gap stays within `threshold`; one more than the last if it
/// does not.
double settled(const GapCurve& curve, double threshold) {
  std::size_t k = curve.size();
  while (k > 0 && curve[k - 1] <= threshold) --k;
  return static_cast<double>(k);
}

Tested settle_within_ten(const std::vector<Curves>& all, Coverage coverage) {
  const std::size_t from = std::min<std::size_t>(10, all.front().iterations());
  const double td = most_from(all, "TD", from);
  const double newton = most_from(all, "Newton", from);
  double latest = 0.0;
  for (const Curves& curves : all) {
    for (const GapCurve& curve : curves.seeds) latest = std::max(latest, settled(curve, 0.2));
  }
  const bool does_settle = latest <= static_cast<double>(all.front().iterations());
  return {.verdict = holds_as_computed(std::max(td, newton) <= 0.2, coverage),
          .found = fmt::format(
              "from iteration {} on at most {:.4f} % with TD, {:.4f} % with "
              "Newton; {}",
              from, td, newton,
              does_settle ? fmt::format("all stay within 0.2 % from iteration {} on", latest)
                          : "not all stay within 0.2 %"),
          .figure = std::max(td, newton)};
}

/// TD and Newton paired by setting and seed.
struct Paired {
  double mean = 0.0;
  double standard_error = 0.0;
  double td = 0.0;
  double newton = 0.0;
};

/// With as many seeds as both have.
template <class Number>
Paired compare(const std::vector<Curves>& all, Number&& number) {
  std::vector<double> differences;
  Paired paired;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    const std::size_t seeds = std::min(all[i].seeds.size(), all[i + 1].seeds.size());
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const double td = number(all[i].seeds[seed]);
      const double newton = number(all[i + 1].seeds[seed]);
      differences.push_back(td - newton);
      paired.td += td;
      paired.newton += newton;
    }
  }
  const double n = static_cast<double>(differences.size());
  paired.td /= n;
  paired.newton /= n;
  paired.mean = paired.td - paired.newton;
  double squares = 0.0;
  for (const double d : differences) squares += (d - paired.mean) * (d - paired.mean);
  paired.standard_error = n > 1.0 ? std::sqrt(squares / (n - 1.0) / n) : 0.0;
  return paired;
}

constexpr double settled_gap = 0.05;

Tested newton_is_faster(const std::vector<Curves>& all, Coverage coverage) {
  const Paired settling =
      compare(all, [&](const GapCurve& curve) { return settled(curve, settled_gap); });
  const Paired first = compare(all, [](const GapCurve& curve) { return curve[1]; });
  const Verdict verdict = is_positive(settling.mean, settling.standard_error);
  return {.verdict = coverage == Coverage::whole ? verdict : Verdict::open,
          .found = fmt::format("TD {:.2f}, Newton {:.2f} iterations on average, difference {:+.2f} "
                               "± {:.2f}; gap after one iteration {:.4f} and {:.4f} %",
                               settling.td, settling.newton, settling.mean, settling.standard_error,
                               first.td, first.newton),
          .figure = settling.mean};
}

Tested close_at_the_end(const std::vector<Curves>& all, Coverage coverage) {
  const std::size_t last = all.front().iterations();
  const double td = most_from(all, "TD", last);
  const double newton = most_from(all, "Newton", last);
  return {
      .verdict = holds_as_computed(std::max(td, newton) < 0.2, coverage),
      .found = fmt::format("after {} at most {:.4f} % with TD and {:.4f} % with Newton, over {} "
                           "settings and {} seed{}",
                           last, td, newton, all.size() / 2, all.front().seeds.size(),
                           all.front().seeds.size() == 1 ? "" : "s"),
      .figure = std::max(td, newton)};
}

/// Both columns.
Json gap_rows(const std::vector<SettingGaps>& parts) {
  Json rows = Json::array();
  for (const std::string_view training : {published_column, our_column}) {
    for (const Curves& curves : curves_of(parts, training)) {
      for (std::size_t k = 0; k <= curves.iterations(); ++k) {
        rows.push_back({{"cost", curves.cost},
                        {"tau", curves.tau},
                        {"algorithm", curves.algorithm},
                        {"training", training},
                        {"iteration", k},
                        {"gap_percent", curves.mean(k)},
                        {"least_gap_percent", curves.least(k)},
                        {"most_gap_percent", curves.most(k)},
                        {"seeds", curves.seeds.size()}});
      }
    }
  }
  return rows;
}

/// The last gaps by choice, over settings and seeds.
Json choice_rows(const std::vector<SettingGaps>& parts) {
  Json rows = Json::array();
  for (const TrainedCurves& first : parts.front().curves) {
    double sum = 0.0;
    double most = 0.0;
    std::size_t trainings = 0;
    std::size_t singular = 0;
    std::size_t diverged = 0;
    for (const SettingGaps& part : parts) {
      for (const TrainedCurves& curves : part.curves) {
        if (curves.algorithm != first.algorithm || curves.choice != first.choice) continue;
        singular += curves.singular;
        diverged += curves.diverged;
        trainings += curves.seeds.size();
        for (const GapCurve& curve : curves.seeds) {
          sum += curve.back();
          most = std::max(most, curve.back());
        }
      }
    }
    rows.push_back({{"algorithm", first.algorithm},
                    {"choice", first.choice},
                    {"trainings", trainings},
                    {"mean_gap_percent", sum / static_cast<double>(trainings)},
                    {"worst_gap_percent", most},
                    {"singular", singular},
                    {"diverged", diverged}});
  }
  return rows;
}

}  // namespace

Results conclude_gaps(const std::vector<SettingGaps>& parts) {
  const std::size_t iterations = curves_of(parts, published_column).front().iterations();
  const Coverage coverage = iterations >= published_iterations ? Coverage::whole : Coverage::sample;
  std::vector<std::string> choices;
  for (const TrainedCurves& curves : parts.front().curves) choices.push_back(curves.choice);
  const auto finding = [&](const Statement& statement,
                           Tested (*test)(const std::vector<Curves>&, Coverage)) {
    return judged(statement, published_names(choices), [&](std::string_view choice) {
      return test(curves_of(parts, choice), coverage);
    });
  };
  const std::vector<JudgedFinding> findings{
      finding({"Both algorithms converge within about ten iterations (criterion: from the tenth on "
               "no gap of any seed exceeds 0.2 %)",
               "about 10 iterations", "largest gap in percent"},
              settle_within_ten),
      finding({fmt::format("Newton converges in fewer iterations than TD (criterion: iterations "
                           "until the gap stays within {} %, paired by setting and seed, by two "
                           "standard errors)",
                           settled_gap),
               "seen in the figure", "difference in iterations"},
              newton_is_faster),
      finding({"After 20 iterations both algorithms have gaps below 0.2 %", "below 0.2 %",
               "largest gap in percent"},
              close_at_the_end)};
  return {.findings = {findings.begin(), findings.end()},
          .tables = {{"gaps", gap_rows(parts)},
                     {"choices", choice_rows(parts)},
                     {"changed_sides", changed_sides(findings)}}};
}

Study figure_gaps(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const GapScale scale =
      is_quick ? GapScale{.seeds = 1, .seeds_of_other_choices = 0, .iterations = 6} : GapScale{};
  std::vector<Part> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({name_of(setting), 0.017 * trainings_of(plans_of(scale)) * scale.iterations,
                     [=](const OnProgress& on_progress) {
                       return train(setting, scale, options, on_progress);
                     }});
  }
  return {.name = "figure-gaps",
          .title = "How fast training approaches the optimum at shelf life 3",
          .question =
              "How far is the policy of each iteration from the optimum, when policies are "
              "evaluated from 60 000 samples with TD or Newton? Gaps are exact: of the value "
              "at the empty stock, in percent of the optimum. " +
              two_trainings,
          .source = "Wang and Delage, section 6.2, figure of optimality gaps (right)",
          .parts = std::move(parts),
          .conclude = conclude_gaps};
}

}  // namespace shortfall::studies
