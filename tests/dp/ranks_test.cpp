// Several ranks, as threads of this process, compute the bits that one process does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mdp/distributed_model.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/chain.hpp"
#include "tests/parallel/thread_communicator.hpp"
#include "tests/risk/losses_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall {
namespace {

using detail::Communicator;
using detail::DistributedModel;
using testing::run_ranks;

struct Shape {
  const char* name;
  std::size_t states;
  std::size_t actions;  ///< at most
  std::size_t longest;  ///< row
  std::size_t reach;    ///< of successors, on both sides; 0: anywhere
  bool terminals;
};
/// Random with terminal states and uneven rows, a narrow band that mixes slowly, arrows, and one
/// that is large enough for weights in single precision and two blocks of factors.
constexpr Shape shapes[] = {{"uneven", 400, 4, 30, 0, true},
                            {"band", 300, 1, 3, 2, false},
                            {"arrows", 500, 3, 1, 0, false},
                            {"wide", 16500, 1, 5, 3, false}};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}

Mdp random_model(const Shape& shape) {
  std::mt19937_64 random(5);
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  GroupedTable table;
  for (std::size_t x = 0; x < shape.states; ++x) {
    const bool ends = shape.terminals && x % 50 == 17;
    const std::size_t actions = ends ? 0 : 1 + below(shape.actions);
    for (std::size_t a = 0; a < actions; ++a) {
      const std::size_t length = shape.longest == 1 ? 1
                                 : x % 97 == 3      ? 20 * shape.longest
                                                    : 1 + below(shape.longest);
      double sum = 0.0;
      std::vector<double> weights(length);
      for (double& w : weights) sum += w = 0.01 + static_cast<double>(below(1000));
      for (const double w : weights) {
        const std::size_t next =
            shape.reach == 0
                ? below(shape.states)
                : (x + shape.states - shape.reach + below(2 * shape.reach + 1)) % shape.states;
        table.outcomes.probability.push_back(w / sum);
        table.outcomes.cost.push_back(static_cast<double>(below(2001)) / 100.0 - 5.0);
        table.outcomes.next.push_back(static_cast<StateIndex>(next));
      }
      table.outcomes.row_begin.push_back(table.outcomes.size());
      table.action.push_back(static_cast<ActionIndex>(a));
    }
    table.state_begin.push_back(table.action.size());
  }
  return Mdp::build(std::move(table));
}

void expect_same(const Solution& expected, const Solution& own, const detail::Partition& states) {
  EXPECT_EQ(own.status, expected.status);
  EXPECT_EQ(own.error_bound, expected.error_bound);
  EXPECT_EQ(own.iterations, expected.iterations);
  EXPECT_TRUE(own.average_cost == expected.average_cost || std::isnan(expected.average_cost));
  EXPECT_EQ(states.gather<double>(own.values), expected.values);
  if (!expected.policy.empty()) {
    EXPECT_EQ(states.gather<ActionIndex>(own.policy), expected.policy);
  }
  ASSERT_EQ(own.trace.size(), expected.trace.size());
  for (std::size_t k = 0; k < own.trace.size(); ++k) {
    EXPECT_EQ(own.trace[k].residual, expected.trace[k].residual);
    EXPECT_EQ(own.trace[k].error_bound, expected.trace[k].error_bound);
  }
}

/// Under sanitizers one number, with two neighbours and two threads: others reach no other code.
std::vector<std::size_t> numbers_of_ranks() {
  if (testing::is_sanitized()) return {3};
  return {1, 2, 3, 4};
}

class EveryShape : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Ranks, EveryShape, ::testing::ValuesIn(shapes),
                         [](const auto& test) { return test.param.name; });

TEST_P(EveryShape, HasTheSameAverageOnThreeRanks) {
  if (GetParam().terminals || GetParam().states > 1000) return;
  const Mdp model = random_model(GetParam());
  for (const AnyLoss& loss : {AnyLoss(Mean()), AnyLoss(Entropic(0.5))}) {
    const SolverOptions options{.max_iterations = 40};  // past the first search for closed classes
    const Solution expected = solve(model, long_run_average(loss), options);
    run_ranks(3, [&](Communicator& communicator) {
      const DistributedModel part = DistributedModel::cut(communicator, model);
      expect_same(
          expected,
          solve(part.rows(), long_run_average(loss), options, {.division = &part.partition()}),
          part.partition());
    });
  }
}

TEST_P(EveryShape, HasTheSameSolutionOnAnyNumberOfRanksAndThreads) {
  const Mdp model = random_model(GetParam());
  const bool is_large = model.states() > 1000;
  for (const std::string loss : {"mean", "expectile:0.9", "entropic:0.5", "soft-quantile:0.8,2",
                                 "piecewise:-2:-3,-1:-2.5,0:0,1:0.2,4:8"}) {
    if (is_large && loss != "expectile:0.9" && loss != "mean") continue;
    const Criterion criterion{AnyLoss::parse(loss), is_large ? 0.999 : 0.98};
    for (const auto& [name, method] : method_names) {
      if (is_large && method != Method::adaptive) continue;
      // Other losses differ in kernels, not in what ranks tell each other.
      const bool is_every_loss = method == Method::adaptive || method == Method::value_iteration;
      if (!is_every_loss && loss != "mean" && loss != "expectile:0.9") continue;
      const Solution expected = solve(model, criterion, method, {.max_iterations = 60});
      for (const std::size_t ranks : numbers_of_ranks()) {
        SCOPED_TRACE(fmt::format("{} {} {} ranks", loss, name, ranks));
        run_ranks(ranks, [&, method = method](Communicator& communicator) {
          const DistributedModel part = DistributedModel::cut(communicator, model);
          const Execution execution{.threads = ranks % 2 == 0 ? 1 : 2,
                                    .division = &part.partition()};
          expect_same(expected,
                      solve(part.rows(), criterion, method, {.max_iterations = 60}, execution),
                      part.partition());
        });
      }
    }
  }
}

TEST_P(EveryShape, HasTheSameValuesOfAPolicyOnAnyNumberOfRanks) {
  const Mdp model = random_model(GetParam());
  const bool is_large = model.states() > 1000;
  RandomisedPolicy policy{std::vector<double>(model.outcomes().rows())};
  for (std::size_t x = 0; x < model.states(); ++x) {
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      policy.weight[r] = 1.0 / static_cast<double>(model.action_count(x));
    }
  }
  const Criterion criterion{AnyLoss::parse("expectile:0.8"), 0.95};
  for (const InducedCost cost : {InducedCost::averaged, InducedCost::mixture}) {
    const Chain chain = under_policy(model, policy, cost);
    for (const Evaluator evaluator : {Evaluator::newton, Evaluator::sweeps}) {
      if (is_large && evaluator == Evaluator::sweeps) continue;
      const Solution expected = evaluate(chain, criterion, evaluator);
      const FiniteHorizonSolution staged = evaluate_finite_horizon(chain, criterion, {.stages = 7});
      run_ranks(3, [&](Communicator& communicator) {
        const DistributedModel part = DistributedModel::cut(communicator, model);
        const std::size_t first = model.state_begin()[part.partition().first()];
        const RandomisedPolicy own{
            {policy.weight.begin() + static_cast<std::ptrdiff_t>(first),
             policy.weight.begin() +
                 static_cast<std::ptrdiff_t>(first + part.rows().outcomes().rows())}};
        const Chain rows = under_policy(part.rows(), own, cost);
        const Execution execution{.division = &part.partition()};
        expect_same(expected, evaluate(rows, criterion, evaluator, {}, execution),
                    part.partition());
        const FiniteHorizonSolution stages =
            evaluate_finite_horizon(rows, criterion, {.stages = 7}, execution);
        EXPECT_EQ(stages.error_bound, staged.error_bound);
        EXPECT_EQ(part.partition().gather<double>(stages.values.back()), staged.values.back());
      });
    }
  }
}

TEST_P(EveryShape, DividesWorkEvenlyAndHoldsEveryRowOnce) {
  const Mdp model = random_model(GetParam());
  run_ranks(3, [&](Communicator& communicator) {
    const DistributedModel part = DistributedModel::cut(communicator, model);
    const Outcomes& own = part.rows().outcomes();
    EXPECT_EQ(communicator.sum(std::uint64_t{own.size()}), model.outcomes().size());
    // Uneven by half a block at either end.
    const double block = static_cast<double>(detail::Partition::block_size(model.states()));
    const double share = static_cast<double>(model.outcomes().size()) / 3.0;
    const double per_state =
        static_cast<double>(model.outcomes().size()) / static_cast<double>(model.states());
    EXPECT_LE(static_cast<double>(own.size()), share + 3.0 * block * per_state);
  });
}

TEST(Ranks, ThatStopsOneOfThemStopsAll) {
  const Mdp model = random_model(shapes[1]);
  run_ranks(3, [&](Communicator& communicator) {
    const DistributedModel part = DistributedModel::cut(communicator, model);
    Execution execution{.division = &part.partition()};
    if (communicator.rank() == 1) {
      execution.monitor = [](const Progress& progress) {
        return progress.done >= 5 ? Request::stop : Request::proceed;
      };
    }
    const Solution solution =
        value_iteration(part.rows(), {Mean(), 0.9999}, {.tolerance = 1e-12}, execution);
    EXPECT_EQ(solution.status, Status::stopped);
    EXPECT_LE(solution.iterations, 6);
  });
}

}  // namespace
}  // namespace shortfall
