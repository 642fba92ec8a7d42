// The plan: every optimum once, and the same numbers as the functions that it is made of.
#include "shortfall/inventory/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/plan/plan_records.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::paper_model;

constexpr double gamma = 0.6;

PlanOptions quick() {
  return {.periods = 20, .replications = 50};
}

std::vector<std::string> losses_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const Optimum& optimum : plan.optima) names.push_back(optimum.loss.to_string());
  return names;
}

/// What was solved, by the solver's own reports: one begins whenever a first iteration ends.
class SolveCounter {
 public:
  Request operator()(const Progress& progress) {
    const std::string activity(progress.activity);
    const std::size_t end = activity.rfind(": solving");
    if (progress.done == 1 && progress.fraction == 0.0 && end != std::string::npos) {
      solved.push_back(activity.substr(0, end));
    }
    return Request::proceed;
  }
  std::vector<std::string> solved;
};

std::vector<std::string> losses_solved_for(const AnyLoss& loss) {
  SolveCounter counter;
  const Plan plan =
      make_plan(paper_model(3), {loss, gamma}, quick(), {.monitor = std::ref(counter)});
  EXPECT_TRUE(plan.is_complete);
  EXPECT_EQ(losses_of(plan), counter.solved);
  EXPECT_EQ(plan.policies.size(), 4U);
  return counter.solved;
}

TEST(Plan, SolvesEachOptimumOnce) {
  EXPECT_THAT(losses_solved_for(Expectile(0.9)),
              ElementsAre("expectile:0.9", "expectile:0.1", "expectile:0.3", "expectile:0.5",
                          "expectile:0.7"));
  EXPECT_THAT(losses_solved_for(Expectile(0.5)),
              ElementsAre("expectile:0.5", "expectile:0.1", "expectile:0.3", "expectile:0.7",
                          "expectile:0.9"));
  EXPECT_THAT(losses_solved_for(Mean()), ElementsAre("mean", "expectile:0.1", "expectile:0.3",
                                                     "expectile:0.7", "expectile:0.9"));
  EXPECT_THAT(
      losses_solved_for(Entropic(0.04)),
      ElementsAre("entropic:0.04", "entropic:0.01", "entropic:0.02", "entropic:0.08", "mean"));
  EXPECT_THAT(losses_solved_for(AnyLoss::parse("piecewise:-1:-0.5,0:0,1:2")),
              ElementsAre("piecewise:-1:-0.5,0:0,1:2", "mean"));
  EXPECT_THAT(losses_solved_for(CustomLoss(testing::Wavy())), ElementsAre("custom", "mean"));
}

TEST(Plan, RecommendsTheSameBitsAsSolve) {
  const Model model = paper_model(3);
  const Criterion criterion{Expectile(0.7), gamma};
  const Plan plan = make_plan(model, criterion, quick());
  const Solution best = solve(model, criterion);
  EXPECT_EQ(plan.recommended().policy, best.policy);
  EXPECT_EQ(plan.recommended().values, best.values);
  EXPECT_EQ(plan.parameter, "tau");
  for (const PlanLevel& level : plan.levels) {
    EXPECT_EQ(level.is_chosen, level.level == 0.7);
    EXPECT_EQ(level.is_chosen, level.optimum == 0);
    const auto& [loss, solution] = plan.optima[level.optimum];
    EXPECT_EQ(loss.to_string(), AnyLoss(Expectile(level.level)).to_string());
    // Each is certified to within 1e-6.
    EXPECT_NEAR(solution.values[0], solve(model, {loss, gamma}).values[0], 2e-6);
  }
}

TEST(Plan, ComparesWithTheSimplerRules) {
  const Model model = paper_model(3);
  const Criterion criterion{Expectile(0.9), gamma};
  const Plan plan = make_plan(model, criterion, quick());
  const std::vector<std::pair<std::string, Policy>> rules = {
      {"optimal", solve(model, criterion).policy},
      {"static", static_policy(model, solve_non_perishable(model, criterion))},
      {"myopic", myopic_policy(model, criterion)},
      {"risk-neutral", solve(model, {Mean(), gamma}).policy}};
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const auto& [name, orders] = rules[k];
    const PlanPolicy& policy = plan.policies[k];
    EXPECT_EQ(policy.name, name);
    EXPECT_EQ(policy.value_at_empty, evaluate(model, criterion, orders).values[0]) << name;
    EXPECT_GE(policy.value_at_empty, plan.recommended().values[0] - 2e-6) << name;
    const SimulationResult simulated =
        simulate(model, orders, {.periods = 20, .replications = 50, .gamma = gamma});
    EXPECT_EQ(policy.forecast.simulated.mean, simulated.mean) << name;
    EXPECT_EQ(policy.forecast.simulated.service_level, simulated.service_level) << name;
    for (const double q : {0.0, 0.005, 0.5, 0.95, 0.99, 1.0}) {
      EXPECT_EQ(policy.forecast.cost_quantile(q), simulated.quantile(q)) << name << q;
    }
  }
}

TEST(Plan, ComparesWithOwnRulesHistoryByHistory) {
  const Model model = paper_model(3);
  const Criterion criterion{Expectile(0.9), gamma};
  PlanOptions options{.periods = 70, .replications = 40};
  options.rules = {*parse_rule("base-stock:12"), *parse_rule("static")};
  const Plan plan = make_plan(model, criterion, options);
  ASSERT_EQ(plan.policies.size(), 5U);  // the static rule is compared anyway
  EXPECT_FALSE(plan.policies[1].own.empty());
  EXPECT_TRUE(plan.policies[2].own.empty());
  const PlanPolicy& own = plan.policies.back();
  EXPECT_EQ(own.name, "base-stock:12");
  EXPECT_EQ(own.own, base_stock_policy(model, 12));
  const SimulationOptions simulation{.periods = 70, .replications = 40, .gamma = gamma, .last = 30};
  const SimulationResult mine = simulate(model, own.own, simulation);
  const SimulationResult best = simulate(model, plan.recommended().policy, simulation);
  ASSERT_TRUE(own.forecast.month.has_value());
  EXPECT_EQ(own.forecast.month->median, quantile_of(mine.last_cost, 0.5));
  EXPECT_EQ(own.forecast.month->bad, quantile_of(mine.last_cost, 0.95));
  EXPECT_NEAR(own.forecast.extra_per_period, mine.cost_per_period - best.cost_per_period, 1e-12);
  double squares = 0.0;
  for (std::size_t r = 0; r < 40; ++r) {
    const double extra = (mine.total_cost[r] - best.total_cost[r]) / 70.0;
    squares += std::pow(extra - own.forecast.extra_per_period, 2.0);
  }
  EXPECT_NEAR(own.forecast.extra_standard_error, std::sqrt(squares / 39.0 / 40.0), 1e-12);
  EXPECT_EQ(plan.policies[0].forecast.extra_per_period, 0.0);
  options.periods = 59;  // too short for a month after a month
  EXPECT_FALSE(make_plan(model, criterion, options).policies[0].forecast.month.has_value());
  options.rules = {*parse_rule("base-stock:250")};
  EXPECT_THROW((void)make_plan(model, criterion, options), InvalidInput);
}

TEST(Plan, ConcludesWhenNothingIsOrdered) {
  // Two units are requested in every period, and what is left over costs money: order up to two.
  const auto conclusions = [](double shortage, const AnyLoss& loss) {
    const Model model({.capacity = 4,
                       .max_order = {4},
                       .arrival = {Arrival::fresh(2)},
                       .demand = {{0.0, 0.0, 1.0}},
                       .cost = {{.holding = 1.0, .shortage = shortage, .wastage = 1.0}}});
    return make_plan(model, {loss, gamma}, quick()).conclusions;
  };
  const PlanConclusions some = conclusions(10.0, Expectile(0.8));
  EXPECT_EQ(some.nothing_from, 2U);
  EXPECT_TRUE(some.falls_with_stock);
  EXPECT_EQ(some.attitude.kind, Attitude::Kind::averse);
  EXPECT_EQ(conclusions(0.0, Mean()).nothing_from, 0U);
}

TEST(Plan, StopsWhenItsMonitorAsks) {
  const auto plan_until = [](const std::string& activity) {
    bool stopped = false;
    const Monitor monitor = [&](const Progress& p) {
      EXPECT_FALSE(stopped) << "called after a request to stop";
      stopped = p.activity == activity;
      return stopped ? Request::stop : Request::proceed;
    };
    Plan plan = make_plan(paper_model(3), {Expectile(0.9), gamma}, quick(), {.monitor = monitor});
    EXPECT_TRUE(stopped);
    EXPECT_FALSE(plan.is_complete);
    return plan;
  };
  EXPECT_EQ(plan_until("expectile:0.1: simulating").levels.size(), 0U);
  EXPECT_EQ(plan_until("expectile:0.7: solving").levels.size(), 3U);
  EXPECT_EQ(plan_until("static: evaluating").policies.size(), 1U);
}

TEST(Plan, PassesOnWhatItsMonitorThrows) {
  const auto fail = [](const Progress&) -> Request { throw std::runtime_error("no"); };
  EXPECT_THROW((void)make_plan(paper_model(3), {Mean(), gamma}, quick(), {.monitor = fail}),
               std::runtime_error);
}

TEST(Plan, KeepsTheStatusOfEverySolve) {
  PlanOptions options = quick();
  options.max_iterations = 1;
  options.tolerance = 1e-13;
  const Plan plan = make_plan(paper_model(3), {Expectile(0.9), gamma}, options);
  EXPECT_TRUE(plan.is_complete);
  std::vector<Status> statuses;
  for (const Optimum& optimum : plan.optima) statuses.push_back(optimum.solution.status);
  for (const PlanPolicy& policy : plan.policies) statuses.push_back(policy.status);
  EXPECT_THAT(statuses, Each(Status::iteration_limit));
  EXPECT_EQ(plan.outcome().status, Status::iteration_limit);
}

TEST(Plan, ReportsItsFirstFailureWithTheLargestBound) {
  Plan plan{.model = paper_model(3), .criterion = {Mean(), gamma}};
  const auto add = [&](Status status, double error_bound) {
    Optimum& optimum = plan.optima.emplace_back(Optimum{Mean(), {}});
    optimum.solution.status = status;
    optimum.solution.error_bound = error_bound;
  };
  add(Status::converged, 1e-9);
  EXPECT_EQ(plan.outcome().status, Status::converged);
  add(Status::precision_limit, 2.0);
  add(Status::iteration_limit, 9.0);
  plan.policies.push_back(
      {.name = "static", .error_bound = 3.0, .status = Status::precision_limit});
  EXPECT_EQ(plan.outcome().status, Status::precision_limit);
  EXPECT_EQ(plan.outcome().error_bound, 3.0);
}

TEST(Plan, RefusesLevelsBeforeAnyWork) {
  const auto refused = [](const AnyLoss& loss, double level) {
    const auto fail = [](const Progress&) -> Request { throw std::logic_error("work"); };
    PlanOptions options = quick();
    options.levels = {level};
    try {
      (void)make_plan(paper_model(3), {loss, gamma}, options, {.monitor = fail});
    } catch (const InvalidField& error) {
      return std::string(error.field());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(Expectile(0.9), 1.0), "levels");
  EXPECT_EQ(refused(AnyLoss::parse("piecewise:-1:-1,0:0,1:2"), 0.5), "levels");
}

// A plan beside the records.

using std::chrono::days;
using ::testing::IsEmpty;

const std::chrono::sys_days records_begin = *parse_iso_date("2026-01-05");
const Criterion averse{AnyLoss::parse("expectile:0.8"), 0.7};

Model two_ages(std::vector<std::vector<double>> demand) {
  return Model({.capacity = 6,
                .max_order = {6},
                .arrival = {Arrival::fresh(2)},
                .demand = std::move(demand),
                .cost = {{.order = 2, .holding = 1, .shortage = 10, .wastage = 4}}});
}

Records sixteen_weeks() {
  Records records{.days = {}, .columns = {.stockout = true}};
  for (int t = 0; t < 112; ++t) {
    records.days.push_back({.date = records_begin + days(t),
                            .demand = static_cast<std::uint32_t>((t * 3) % 5),
                            .stockout = t % 10 == 9});
  }
  return records;
}

Plan plan_of(const Model& model) {
  return make_plan(model, averse, {.periods = 5, .replications = 5});
}

TEST(PlanRecords, HaveTheBacktestOfThePlanAndTheRules) {
  const Model model = two_ages({poisson_demand(2.0, 8)});
  const Records records = sixteen_weeks();
  const std::vector<Rule> own = {*parse_rule("base-stock:4"), *parse_rule("risk-neutral")};
  const PlanRecords found = plan_records(plan_of(model), records, own);
  const Backtest expected = backtest(model, averse, records, own);
  ASSERT_EQ(found.backtest.policies.size(), expected.policies.size());
  for (std::size_t k = 0; k < expected.policies.size(); ++k) {
    EXPECT_EQ(found.backtest.policies[k].name, expected.policies[k].name);
    EXPECT_EQ(found.backtest.policies[k].cost, expected.policies[k].cost);
  }
}

TEST(PlanRecords, CountDaysByDemandAndStockOuts) {
  const Records records = sixteen_weeks();
  const PlanRecords pooled = plan_records(plan_of(two_ages({poisson_demand(2.0, 8)})), records, {});
  ASSERT_TRUE(pooled.fit.has_value());
  ASSERT_EQ(pooled.observed.size(), 1U);
  // Demand 0, 3, 1, 4, 2 in turn, and a stock-out on every tenth day, when it is 4 or 2.
  EXPECT_THAT(pooled.observed[0].days, ElementsAre(23, 22, 22, 23, 22));
  EXPECT_THAT(pooled.observed[0].stockouts, ElementsAre(0, 0, 11, 0, 0));
  const std::vector<std::vector<double>> week(7, poisson_demand(2.0, 8));
  const PlanRecords by_day = plan_records(plan_of(two_ages(week)), records, {});
  ASSERT_EQ(by_day.observed.size(), 7U);
  std::size_t mondays = 0;
  for (const std::size_t count : by_day.observed[0].days) mondays += count;
  EXPECT_EQ(mondays, 16U);
}

TEST(PlanRecords, SayWhyThereIsNoFit) {
  Records records = sixteen_weeks();
  for (DayRecord& day : records.days) day.stockout = true;
  const PlanRecords found = plan_records(plan_of(two_ages({poisson_demand(2.0, 8)})), records, {});
  EXPECT_FALSE(found.fit.has_value());
  EXPECT_NE(found.not_fitted, "");
  EXPECT_FALSE(found.backtest.policies.empty());
}

TEST(PlanRecords, AddTheRuleInUseOnce) {
  const Model model = two_ages({poisson_demand(2.0, 8)});
  Records records = sixteen_weeks();
  EXPECT_THAT(with_rule_in_use({}, model, records), IsEmpty());
  records.columns.ordered = true;
  for (DayRecord& day : records.days) day.ordered = 2;
  const std::vector<Rule> found = with_rule_in_use({*parse_rule("base-stock:4")}, model, records);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].name, "fixed:2");
  EXPECT_EQ(with_rule_in_use(found, model, records).size(), 2U);
}

}  // namespace
}  // namespace shortfall::inventory
