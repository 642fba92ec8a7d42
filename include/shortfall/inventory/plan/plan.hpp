#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/parallel/execution.hpp"
#include "shortfall/risk/risk_levels.hpp"

/// A plan for a perishable stock: what to order, what to expect from it, and how other attitudes to
/// risk and simpler rules compare.
namespace shortfall::inventory {

struct PlanOptions {
  std::vector<double> levels = {};   ///< levels of risk to compare; empty: those of risk_levels()
  std::vector<Rule> rules = {};      ///< the planner's own; they fit the model
  std::size_t periods = 365;         ///< per simulated history
  std::size_t replications = 10000;  ///< simulated histories
  /// As in SolverOptions, of the recommended orders. What they are compared with is certified to
  /// this or to nine digits of the recommended value, whichever is larger.
  Tolerance tolerance = {};
  int max_iterations = 1000000;  ///< as in SolverOptions
  std::uint64_t seed = 1;        ///< all simulations share it
};

/// The best orders for a loss.
struct Optimum {
  AnyLoss loss;
  Solution solution;
};

/// The undiscounted cost of a month, long after the empty stock: the last `days` of each history.
struct MonthCost {
  static constexpr std::size_t days = 30;

  double median = 0.0;
  double bad = 0.0;  ///< the 0.95-quantile: one month in twenty costs more
};

/// What to expect from orders: simulated histories from an empty stock. All forecasts of a plan
/// have identical random demand and deliveries.
struct Forecast {
  static constexpr int steps = 200;

  SimulationResult simulated;          ///< without the costs of each replication
  std::vector<double> cost_quantiles;  ///< of the discounted cost, at k / steps for k = 0..steps
  std::optional<MonthCost> month;      ///< none if the histories are shorter than two months
  /// The undiscounted cost per period above that of the recommended orders, history by history, and
  /// the standard error of this mean (infinite for one history).
  double extra_per_period = 0.0;
  double extra_standard_error = infinity;

  /// The q-quantile of the discounted cost, for q a multiple of 1 / steps.
  double cost_quantile(double q) const {
    return cost_quantiles[static_cast<std::size_t>(std::lround(q * steps))];
  }
};

/// The best orders at one level of risk.
struct PlanLevel {
  double level;
  bool is_chosen;       ///< the level of the plan's criterion
  std::size_t optimum;  ///< index in Plan::optima
  Forecast forecast;
};

/// Orders to compare: the optimum, the planner's own rules, and simpler ones.
struct PlanPolicy {
  std::string name;  ///< optimal, the name of a rule, static, myopic or risk-neutral
  /// Under the plan's criterion, from the empty stock of the first day. It is computed by
  /// evaluating the orders, those of the optimum too, so that all policies are treated alike.
  double value_at_empty = 0.0;
  double error_bound = infinity;  ///< certified, of that value
  Status status = Status::iteration_limit;
  Forecast forecast = {};
  Policy own = {};  ///< the orders of a rule of the planner's own; otherwise empty
};

/// What the recommended orders have in common, for sentences.
struct PlanConclusions {
  Attitude attitude = {};
  /// The least total stock at and above which nothing is ordered; none if something always is.
  std::optional<std::size_t> nothing_from = {};
  bool falls_with_stock = false;  ///< the largest order by total stock never grows, on any day
};

/// How a solve or an evaluation ended.
struct PlanOutcome {
  Status status = Status::iteration_limit;
  double error_bound = infinity;
};

/// Everything found. Each optimum is computed once: the chosen level is the optimum itself, and the
/// risk-neutral orders are those of the level 0.5 if expectiles are compared.
struct Plan {
  Model model;
  Criterion criterion;
  std::size_t periods = 0;
  std::size_t replications = 0;
  std::uint64_t seed = 0;

  std::vector<Optimum> optima = {};    ///< one per loss; the first is that of the criterion
  std::string parameter = {};          ///< what the levels are: tau, beta, mu or empty
  std::vector<PlanLevel> levels = {};  ///< increasing
  std::vector<PlanPolicy> policies = {};
  PlanConclusions conclusions = {};
  bool is_complete = false;  ///< false: the monitor asked to stop, and the last parts are missing

  const Solution& recommended() const { return optima.front().solution; }

  /// The first status of the optima and policies that is not a success, with the largest error
  /// bound of this status; converged if there is none.
  PlanOutcome outcome() const;
};

/// Solves for every level of risk, values the simpler rules and simulates all orders; equal orders
/// only once. A solve that did not converge leaves its status in the plan. The monitor's activity
/// begins with a loss or a policy. Throws InvalidField for levels that the loss cannot have, and
/// InvalidInput as solve(), simulate() and check_rule() do.
Plan make_plan(const Model& model, const Criterion& criterion, const PlanOptions& options = {},
               const Execution& execution = {});

/// The smallest and the largest order over all stocks with this total, on one day.
struct OrderRange {
  ActionIndex least;
  ActionIndex most;
};
OrderRange order_range(const Model& model, const Policy& orders, std::size_t day,
                       std::size_t total);

}  // namespace shortfall::inventory
