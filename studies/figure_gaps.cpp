#include <cstdint>

#include "published/platelets.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/inventory/train.hpp"
#include "studies/gap_curves.hpp"
#include "studies/stock_setting.hpp"

namespace shortfall::studies {
namespace {

using inventory::Training;
using learn::Algorithm;

struct GapScale {
  int seeds = 5;
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

SettingGaps train(const StockSetting& setting, const GapScale& plan, const StudyOptions& options,
                  const OnProgress& on_progress) {
  const inventory::Model model = platelets(3, {.cost = setting.cost});
  const Criterion criterion = criterion_of(setting.tau);
  const double optimum =
      inventory::solve(model, criterion, {.threads = options.threads}).values.front();
  SettingGaps part{.cost = cost_text(setting.cost), .tau = setting.tau};
  int done = 0;
  for (int seed = 0; seed < plan.seeds; ++seed) {
    for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
      Training training(model, criterion,
                        {.algorithm = algorithm,
                         .seed = options.seed + static_cast<std::uint64_t>(seed),
                         .threads = options.threads});
      for (int k = 0; k < plan.iterations; ++k) training.iterate();
      (algorithm == Algorithm::td ? part.td : part.newton).push_back(gaps_of(training, optimum));
      on_progress(++done / (2.0 * plan.seeds));
    }
  }
  return part;
}

}  // namespace

Study figure_gaps(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const GapScale plan = is_quick ? GapScale{.seeds = 1, .iterations = 6} : GapScale{};
  std::vector<Part> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({name_of(setting), 0.035 * plan.seeds * plan.iterations,
                     [=](const OnProgress& on_progress) {
                       return train(setting, plan, options, on_progress);
                     }});
  }
  return {.name = "figure-gaps",
          .title = "How fast training approaches the optimum at shelf life 3",
          .question =
              "How far is the policy of each iteration from the optimum, when policies are "
              "evaluated from 60 000 samples with TD or Newton? Gaps are exact: of the value "
              "at the empty stock, in percent of the optimum. " +
              std::string(our_training),
          .source = "Wang and Delage, section 6.2, figure of optimality gaps (right)",
          .parts = std::move(parts),
          .conclude = conclude_gaps};
}

}  // namespace shortfall::studies
