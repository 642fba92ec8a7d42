#include <cstdint>

#include "published/platelets.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/inventory/train.hpp"
#include "studies/gap_curves.hpp"
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
      inventory::solve(model, criterion, {.threads = options.threads}).values.front();
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
                         .seed = options.seed + static_cast<std::uint64_t>(seed),
                         .threads = options.threads});
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

}  // namespace

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
