#include <algorithm>
#include <cmath>

#include "published/platelets.hpp"
#include "shortfall/inventory/simulate.hpp"
#include "shortfall/inventory/train.hpp"
#include "studies/cost_distributions.hpp"
#include "studies/stock_setting.hpp"
#include "studies/training_choices.hpp"

namespace shortfall::studies {
namespace {

using inventory::SimulationResult;

struct CostScale {
  int iterations = 20;
  bool takes_all_choices = true;  ///< of what the paper leaves open
  std::size_t replications = 100'000;
  std::size_t periods = 40;  // 0.6⁴⁰ is 1e-9
};

Policy trained_orders(const inventory::Model& model, double tau, const TrainingChoice& choice,
                      const CostScale& plan, const StudyOptions& options) {
  inventory::Training training(model, criterion_of(tau),
                               {.algorithm = learn::Algorithm::td,
                                .evaluation = choice.method,
                                .seed = options.seed,
                                .threads = options.threads});
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
                                           .seed = options.seed,
                                           .threads = options.threads}));
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
  std::vector<TrainingChoice> choices = published_choices(learn::Algorithm::td, Improvement::exact);
  if (!plan.takes_all_choices) choices.resize(1);
  choices.push_back(our_choice());
  return choices;
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

}  // namespace

Study figure_costs(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const CostScale plan =
      is_quick ? CostScale{.iterations = 2, .takes_all_choices = false, .replications = 10'000}
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
