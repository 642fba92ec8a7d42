// Random small models of a kind on which solvers may cycle: several actions, terminal states,
// outcomes of tiny probability, discounts close to one. On one rank and on three.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "tests/dp/solvers_on_ranks.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

Mdp random_model(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto states = static_cast<StateIndex>(2 + below(8));
  const auto terminals = static_cast<StateIndex>(below(3));
  TransitionTable table;
  for (StateIndex x = 1; x < states; ++x) {
    const auto actions = static_cast<ActionIndex>(1 + below(4));
    for (ActionIndex a = 0; a < actions; ++a) {
      const std::size_t size = 1 + below(4);
      std::vector<double> weight(size);
      double sum = 0.0;
      for (double& w : weight) {
        w = below(3) == 0 ? std::pow(10.0, -static_cast<double>(below(12)))
                          : static_cast<double>(1 + below(9));
        sum += w;
      }
      for (const double w : weight) {
        table.add(x, a, static_cast<StateIndex>(below(states + terminals)), Probability(w / sum),
                  static_cast<double>(below(21)) - 10.0);
      }
    }
  }
  // Every state and action appears somewhere, so that ids have no gap.
  for (ActionIndex a = 0; a < 5; ++a) {
    table.add(0, a, static_cast<StateIndex>(below(states + terminals)), Probability(1.0),
              static_cast<double>(below(21)) - 10.0);
  }
  for (StateIndex t = 0; t < states + terminals; ++t) table.add(0, 4, t, Probability(0.0), 0.0);
  return Mdp::build(std::move(table));
}

class RandomModels : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Losses, RandomModels, ::testing::ValuesIn(testing::loss_specs()));

/// As above, and the number of ranks.
class RandomModelsOnRanks : public ::testing::TestWithParam<std::tuple<std::string, std::size_t>> {
};
INSTANTIATE_TEST_SUITE_P(LossesAndRanks, RandomModelsOnRanks,
                         ::testing::Combine(::testing::ValuesIn(testing::loss_specs()),
                                            ::testing::Values(1u, 3u)));

TEST_P(RandomModelsOnRanks, HaveTheSameSolutionByEveryMethod) {
  const auto& [loss, ranks] = GetParam();
  // Ranks as threads wait for each other in every sweep.
  const int trials = ranks == 1 ? 10 : 2;
  std::mt19937_64 random(11);
  for (int trial = 0; trial < trials; ++trial) {
    const Mdp model = random_model(random);
    for (const double gamma : {0.5, 0.98, 0.99}) {
      const Criterion criterion{AnyLoss::parse(loss), gamma};
      const Solution reference = value_iteration(model, criterion);
      ASSERT_EQ(reference.status, Status::converged) << reference.brief_report();
      for (const Method method : {Method::gauss_seidel, Method::modified_policy_iteration,
                                  Method::policy_iteration, Method::adaptive}) {
        const Solution solution =
            testing::solve_on(ranks, model, criterion, method, {.max_iterations = 20000});
        ASSERT_EQ(solution.status, Status::converged)
            << to_string(method) << " gamma " << gamma << " " << solution.brief_report();
        for (std::size_t x = 0; x < model.states(); ++x) {
          EXPECT_NEAR(solution.values[x], reference.values[x],
                      solution.error_bound + reference.error_bound)
              << to_string(method) << " gamma " << gamma;
        }
      }
    }
  }
}

TEST_P(RandomModels, AreSolvedByPolicyIterationInFewStepsForDiscountsCloseToOne) {
  std::mt19937_64 random(12);
  int slow = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Mdp model = random_model(random);
    for (const double gamma : {0.9999, 0.999999}) {
      const Solution solution = policy_iteration(model, {AnyLoss::parse(GetParam()), gamma},
                                                 {.tolerance = 1e-3, .max_iterations = 300});
      // Values reach 1e7 here, where double arithmetic can certify about 1e-2.
      const bool done = solution.status == Status::converged ||
                        (gamma > 0.9999 && solution.status == Status::precision_limit);
      slow += done ? 0 : 1;
    }
  }
  // For losses that are neither convex nor concave no method is known to be fast from every start.
  const AnyLoss loss = AnyLoss::parse(GetParam());
  EXPECT_LE(slow, is_convex(loss) || is_concave(loss) ? 0 : 2) << "of two for each trial";
}

}  // namespace
}  // namespace shortfall
