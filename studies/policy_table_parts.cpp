#include <algorithm>

#include "published/platelets.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "studies/policy_table.hpp"

namespace shortfall::studies {
namespace {

using namespace inventory;
using learn::Algorithm;

/// One training.
struct Way {
  Algorithm algorithm;
  TrainingChoice choice;
  Improvement improvement;
};

/// Whether a setting is one of the nine of the shorter published table.
bool is_in_main_text(const StockSetting& setting) {
  const bool is_pictured = std::ranges::count(pictured_levels, setting.tau) > 0;
  const bool has_such_costs = setting.cost == published_cost(10, 1, 20, 5) ||
                              setting.cost == published_cost(80, 1, 20, 5) ||
                              setting.cost == published_cost(10, 1, 20, 80);
  return is_pictured && has_such_costs;
}

Taken taken_by(Sweep sweep, const StockSetting& setting) {
  if (sweep == Sweep::none) return Taken::first;
  if (is_in_main_text(setting)) return Taken::jointly;
  return sweep == Sweep::all ? Taken::alone : Taken::closest;
}

/// Each followed by the same with exact improvement, if requested.
std::vector<Way> ways_to_train(const PolicyTraining& training, const StockSetting& setting) {
  const Improvement improvement =
      training.scenarios > 0 ? Improvement::sampled : Improvement::exact;
  std::vector<Way> ways;
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    for (const TrainingChoice& choice :
         choices_and_ours(algorithm, improvement, taken_by(training.sweep, setting))) {
      ways.push_back({algorithm, choice, improvement});
      const bool is_column = choice.name == published_column || choice.name == our_column;
      if (training.also_improved_exactly && is_column) {
        ways.push_back({algorithm, choice, Improvement::exact});
      }
    }
  }
  return ways;
}

/// All policies of one setting.
class SettingSolver {
 public:
  SettingSolver(const PolicyTableOptions& table, const StockSetting& setting,
                const StudyOptions& options)
      : setting_(setting),
        options_(options),
        training_(table.training),
        model_(platelets(table.published.shelf_life, {.cost = setting.cost})),
        criterion_(criterion_of(setting.tau)),
        as_published_{.tolerance = table.published.tolerance},
        execution_{.threads = options.threads} {}

  SettingValues compute(const OnProgress& on_progress) {
    result_ = {.tau = setting_.tau, .cost = cost_text(setting_.cost)};
    add_exact();
    const std::vector<Way> ways = ways_to_train(training_, setting_);
    std::size_t done = 0;
    const auto report = [&](double fraction) {
      on_progress(0.1 +
                  0.9 * (static_cast<double>(done) + fraction) / static_cast<double>(ways.size()));
    };
    report(0.0);
    for (const Way& way : ways) {
      if (way.improvement == Improvement::exact && training_.scenarios > 0) {
        result_.trained.back().improved_exactly = train(way, 0, report).certified;
      } else {
        result_.trained.push_back(train(way, training_.scenarios, report));
      }
      ++done;
    }
    return result_;
  }

 private:
  static CertifiedValue certified(const Solution& solution) {
    return {solution.values.front(), solution.error_bound};
  }
  static CertifiedValue certified(const TrainingRecord& record) {
    return {record.value_at_empty, record.error_bound};
  }

  void add(const char* policy, const Solution& published, const CertifiedValue& value) {
    result_.policies.push_back(
        {.policy = policy, .ours = published.values.front(), .certified = value});
  }

  void add_given(const char* policy, const Policy& orders) {
    add(policy, evaluate_as_published(model_, criterion_, orders, as_published_, execution_),
        certified(evaluate(model_, criterion_, orders, {}, execution_)));
  }

  void add_exact() {
    const Solution optimum = inventory::solve(model_, criterion_, {}, execution_);
    add("Optimal", solve_as_published(model_, criterion_, as_published_, execution_),
        certified(optimum));
    result_.optimal_orders =
        evaluate_as_published(model_, criterion_, optimum.policy, as_published_, execution_)
            .values.front();
    add_given("Static", static_policy(model_, solve_non_perishable(model_, criterion_)));
    add_given("Myopic", myopic_policy(model_, criterion_, execution_));
    if (setting_.tau == 0.5) return;  // there RN is the optimum
    add_given("RN", inventory::solve(model_, {Mean(), platelets_gamma}, {}, execution_).policy);
  }

  TrainedValue train(const Way& way, std::size_t scenarios,
                     const std::function<void(double)>& report) const {
    Training training(model_, criterion_,
                      {.algorithm = way.algorithm,
                       .scenarios = scenarios,
                       .evaluation = way.choice.method,
                       .seed = options_.seed + way.choice.seed},
                      {}, execution_);
    TrainedValue value{.algorithm = way.algorithm == Algorithm::td ? "TD" : "Newton",
                       .choice = way.choice.name};
    for (int k = 1; k <= training_.iterations; ++k) {
      training.iterate();
      value.singular += training.state().trace.back().singular;
      value.diverged += training.state().trace.back().diverged;
      report(static_cast<double>(k) / training_.iterations);
    }
    value.ours = evaluate_as_published(model_, criterion_, training.state().orders, as_published_,
                                       execution_)
                     .values.front();
    value.certified = certified(training.state().trace.back());
    value.best = certified(training.best());
    return value;
  }

  StockSetting setting_;
  StudyOptions options_;
  PolicyTraining training_;
  Model model_;
  Criterion criterion_;
  SolverOptions as_published_;
  Execution execution_;
  SettingValues result_ = {};
};

/// Seconds measured on two cores: per iteration of both algorithms, and for everything else.
double seconds_of(const PolicyTableOptions& table, const StockSetting& setting) {
  const bool is_slow = setting.tau == 0.9;
  const auto ways = static_cast<double>(ways_to_train(table.training, setting).size());
  const double iteration = table.published.shelf_life == 3 ? 0.017 : is_slow ? 0.11 : 0.055;
  const double exact = table.published.shelf_life == 3 ? 0.05 : is_slow ? 2.0 : 0.9;
  return exact + iteration * ways * table.training.iterations;
}

}  // namespace

std::vector<Part> policy_table_parts(const PolicyTableOptions& table, const StudyOptions& options) {
  std::vector<Part> parts;
  for (const StockSetting& setting : table.settings) {
    parts.push_back({name_of(setting), seconds_of(table, setting),
                     [table, setting, options](const OnProgress& on_progress) {
                       return SettingSolver(table, setting, options).compute(on_progress);
                     }});
  }
  return parts;
}

}  // namespace shortfall::studies
