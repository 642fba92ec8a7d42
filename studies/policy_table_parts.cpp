#include <algorithm>

#include "published/platelets.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/inventory/train.hpp"
#include "studies/policy_table.hpp"

namespace shortfall::studies {
namespace {

using namespace inventory;
using learn::Algorithm;

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
        as_published_{.tolerance = table.published.tolerance, .threads = options.threads},
        certified_{.threads = options.threads} {}

  SettingValues compute(const OnProgress& on_progress) {
    result_ = {.tau = setting_.tau, .cost = cost_text(setting_.cost)};
    add_exact();
    const int ways = training_.also_improved_exactly ? 4 : 2;
    int done = 0;
    const auto report = [&](double fraction) { on_progress(0.1 + 0.9 * (done + fraction) / ways); };
    report(0.0);
    for (const auto& [name, algorithm] :
         {std::pair{"TD", Algorithm::td}, {"Newton", Algorithm::newton}}) {
      const Trained trained = train(algorithm, training_.scenarios, report);
      PolicyValue& value =
          add(name, evaluate_as_published(model_, criterion_, trained.orders, as_published_),
              certified(trained.last));
      value.best = certified(trained.best);
      ++done;
      if (!training_.also_improved_exactly) continue;
      value.improved_exactly = certified(train(algorithm, 0, report).last);
      ++done;
    }
    return result_;
  }

 private:
  struct Trained {
    Policy orders;  ///< of the last iteration
    TrainingRecord last;
    TrainingRecord best;  ///< known from exact values only
  };

  static CertifiedValue certified(const Solution& solution) {
    return {solution.values.front(), solution.error_bound};
  }
  static CertifiedValue certified(const TrainingRecord& record) {
    return {record.value_at_empty, record.error_bound};
  }

  PolicyValue& add(const char* policy, const Solution& published, const CertifiedValue& value) {
    result_.policies.push_back(
        {.policy = policy, .ours = published.values.front(), .certified = value});
    return result_.policies.back();
  }

  void add_given(const char* policy, const Policy& orders) {
    add(policy, evaluate_as_published(model_, criterion_, orders, as_published_),
        certified(evaluate(model_, criterion_, orders, certified_)));
  }

  void add_exact() {
    const Solution optimum = inventory::solve(model_, criterion_, certified_);
    add("Optimal", solve_as_published(model_, criterion_, as_published_), certified(optimum));
    result_.optimal_orders =
        evaluate_as_published(model_, criterion_, optimum.policy, as_published_).values.front();
    add_given("Static", static_policy(model_, solve_non_perishable(model_, criterion_)));
    add_given("Myopic", myopic_policy(model_, criterion_, {.threads = options_.threads}));
    if (setting_.tau == 0.5) return;  // there RN is the optimum
    add_given("RN", inventory::solve(model_, {Mean(), platelets_gamma}, certified_).policy);
  }

  Trained train(Algorithm algorithm, std::size_t scenarios,
                const std::function<void(double)>& report) const {
    Training training(model_, criterion_,
                      {.algorithm = algorithm,
                       .scenarios = scenarios,
                       .seed = options_.seed,
                       .threads = options_.threads});
    for (int k = 1; k <= training_.iterations; ++k) {
      training.iterate();
      report(static_cast<double>(k) / training_.iterations);
    }
    return {training.state().orders, training.state().trace.back(), training.best()};
  }

  StockSetting setting_;
  StudyOptions options_;
  PolicyTraining training_;
  Model model_;
  Criterion criterion_;
  SolverOptions as_published_;
  SolverOptions certified_;
  SettingValues result_ = {};
};

/// Seconds measured on two cores: per iteration of both algorithms, and for everything else.
double seconds_of(const PolicyTableOptions& table, const StockSetting& setting) {
  const bool is_slow = setting.tau == 0.9;
  const int ways = table.training.also_improved_exactly ? 4 : 2;
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
