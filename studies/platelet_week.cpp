#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "published/platelets.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/plan.hpp"
#include "shortfall/inventory/solve.hpp"
#include "studies/stock_setting.hpp"
#include "studies/week_findings.hpp"

namespace shortfall::studies {
namespace {

using namespace inventory;

constexpr double week_gamma = 0.95;

/// Costs and shelf lives on arrival are those of Wang and Delage. Demand is negative binomial, with
/// the n and mean of each weekday that were fitted to the same records of platelets.
Model week_of(std::size_t shelf_life) {
  constexpr std::array n{3.497361, 10.985837, 7.183407, 11.064622, 5.930222, 5.473242, 2.193797};
  constexpr std::array mean{5.660569, 6.922555, 6.504332, 6.165049, 5.816060, 3.326408, 3.426814};
  std::vector<std::vector<double>> demand;
  for (std::size_t day = 0; day < n.size(); ++day) {
    demand.push_back(negative_binomial_demand(n[day], mean[day], 20));
  }
  return Model({.capacity = 20,
                .max_order = {20},
                .arrival = {platelets_arrival(shelf_life)},
                .demand = std::move(demand),
                .cost = {published_cost(10, 1, 20, 5)}});
}

/// Counts iterations, whose number is not known in advance, as this share of a part.
Monitor share_of(const OnProgress& on_progress, double first, double share) {
  return [=, most = 0.0](const Progress& progress) mutable {
    const double iterations = static_cast<double>(progress.done) + progress.fraction;
    most = std::max(most, 1.0 - std::pow(0.5, iterations));  // the fraction begins again at times
    on_progress(first + share * most);
    return Request::proceed;
  };
}

WeekOptimum optimum(std::size_t shelf_life, double tau, const StudyOptions& options,
                    const OnProgress& on_progress) {
  const Model model = week_of(shelf_life);
  const Criterion criterion{Expectile(tau), week_gamma};
  const auto begin = std::chrono::steady_clock::now();
  const Solution best = inventory::solve(
      model, criterion, {.threads = options.threads, .monitor = share_of(on_progress, 0.0, 0.7)});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const Policy as_if_nothing_perished =
      static_policy(model, solve_non_perishable(model, criterion));
  const Solution simple =
      evaluate(model, criterion, as_if_nothing_perished,
               {.threads = options.threads, .monitor = share_of(on_progress, 0.7, 0.3)});
  WeekOptimum week{.tau = tau,
                   .shelf_life = shelf_life,
                   .states = model.states(),
                   .value = best.values.front(),
                   .error_bound = best.error_bound,
                   .seconds = taken.count(),
                   .static_value = simple.values.front(),
                   .static_error_bound = simple.error_bound};
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (std::size_t total = 0; total <= model.capacity(); ++total) {
      const OrderRange range = order_range(model, best.policy, day, total);
      week.orders.push_back({.day = day,
                             .total = total,
                             .least = static_cast<int>(range.least),
                             .most = static_cast<int>(range.most)});
    }
  }
  return week;
}

/// Measured on two cores, shelf life 8.
double seconds_of(double tau) {
  return tau == 0.5 ? 50.0 : tau == 0.9 ? 300.0 : 170.0;
}

}  // namespace

Study platelet_week(const StudyOptions& options) {
  const bool is_quick = options.scale == Scale::quick;
  const std::size_t shelf_life = is_quick ? 5 : 8;
  std::vector<Part> parts;
  for (const double tau : pictured_levels) {
    parts.push_back({fmt::format("m={},tau={}", shelf_life, tau),
                     is_quick ? 0.005 * seconds_of(tau) : seconds_of(tau),
                     [=](const OnProgress& on_progress) {
                       return optimum(shelf_life, tau, options, on_progress);
                     }});
  }
  return {
      .name = "platelet-week",
      .title = "A week of platelets, solved exactly",
      .question =
          "What is the optimal order for platelets if demand differs by weekday, and can it be "
          "computed at shelf life 8? Stocks by age and weekday make 6 216 210 states. Costs "
          "(10,1,20,5), capacity 20, discount factor 0.95; times are elapsed time on all cores.",
      .source =
          "our own; costs and shelf lives of Wang and Delage, section 6.2, with demand by "
          "weekday fitted to the same records of platelets",
      .parts = std::move(parts),
      .conclude = conclude_week};
}

}  // namespace shortfall::studies
