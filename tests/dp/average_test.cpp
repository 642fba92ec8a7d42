// The long-run average: known gains, the largest eigenvalue, limits of discounted values, periodic
// chains, and models whose average depends on the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

constexpr Method with_averages[] = {Method::adaptive, Method::value_iteration,
                                    Method::modified_policy_iteration, Method::policy_iteration};

/// Some states, `actions` of each, and of those `length` outcomes, in states up to `reach` away.
struct Drawn {
  std::size_t states;
  std::size_t actions;
  std::size_t length;
  std::size_t reach;
};

Mdp drawn_model(const Drawn& drawn, std::uint64_t seed) {
  auto bits = stream_generator(seed, 7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(bits() % n); };
  TransitionTable table;
  for (std::size_t x = 0; x < drawn.states; ++x) {
    for (std::size_t a = 0; a < drawn.actions; ++a) {
      for (std::size_t i = 0; i < drawn.length; ++i) {
        const std::size_t next =
            i == 0 ? (x + 1) % drawn.states : (x + below(drawn.reach)) % drawn.states;
        table.add(static_cast<StateIndex>(x), static_cast<ActionIndex>(a),
                  static_cast<StateIndex>(next),
                  Probability(1.0 / static_cast<double>(drawn.length)),
                  static_cast<double>(below(1000)) / 100.0 - 2.0);
      }
    }
  }
  return Mdp::build(std::move(table));
}

/// Its rows are the first action of each state.
Chain first_actions(const Mdp& model) {
  return under_policy(model, Policy(model.states(), 0));
}

Eigen::MatrixXd weighted_matrix(const Chain& chain, double beta) {
  const auto n = static_cast<Eigen::Index>(chain.states());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index x = 0; x < n; ++x) {
    const Outcomes::Row law = chain.outcomes().row(static_cast<std::size_t>(x));
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      matrix(x, static_cast<Eigen::Index>(law.next[i])) +=
          law.probability[i] * std::exp(beta * law.cost[i]);
    }
  }
  return matrix;
}

TEST(Average, OfACycleIsItsMeanForEveryLoss) {
  TransitionTable table;
  for (StateIndex x = 0; x < 5; ++x) {
    table.add(x, 0, (x + 1) % 5, Probability(1.0), x == 2 ? 5.0 : 0.5);
  }
  const Mdp cycle = Mdp::build(std::move(table));
  for (const auto& loss : testing::all_losses()) {
    for (const Method method : with_averages) {
      const Solution solution = solve(cycle, long_run_average(loss), method);
      EXPECT_EQ(solution.status, Status::converged) << loss.to_string() << to_string(method);
      EXPECT_NEAR(solution.average_cost, 1.4, solution.error_bound);
      EXPECT_EQ(solution.values[0], 0.0);
    }
  }
}

TEST(Average, OfEntropicRiskIsTheLogarithmOfTheLargestEigenvalue) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Chain chain = first_actions(drawn_model({3 + seed, 1, 4, 5}, seed));
    const double beta = 0.1 + 0.02 * static_cast<double>(seed);
    const double largest = weighted_matrix(chain, beta).eigenvalues().cwiseAbs().maxCoeff();
    for (const Evaluator evaluator : {Evaluator::newton, Evaluator::sweeps}) {
      const Solution solution = evaluate(chain, long_run_average(Entropic(beta)), evaluator);
      ASSERT_EQ(solution.status, Status::converged) << seed;
      EXPECT_NEAR(solution.average_cost, std::log(largest) / beta, solution.error_bound + 1e-12);
    }
  }
}

TEST(Average, OfTheMeanIsThatOfTheStationaryLaw) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Chain chain = first_actions(drawn_model({2 + seed, 1, 3, 9}, seed));
    const auto n = static_cast<Eigen::Index>(chain.states());
    Eigen::MatrixXd system = weighted_matrix(chain, 0.0).transpose();
    system.diagonal().array() -= 1.0;
    system.row(0).setOnes();
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
    unit[0] = 1.0;
    const Eigen::VectorXd law = system.partialPivLu().solve(unit);
    double mean = 0.0;
    for (Eigen::Index x = 0; x < n; ++x) {
      mean += law[x] * chain.row_costs().expected[static_cast<std::size_t>(x)];
    }
    const Solution solution = evaluate(chain, long_run_average(Mean()), Evaluator::newton);
    EXPECT_NEAR(solution.average_cost, mean, solution.error_bound + 1e-12) << seed;
  }
}

/// For V the fixed point at γ: min and max of (1-γ) V enclose g, since V(x) is at most what a
/// policy costs from there, and at least what the best one does, up to the span of V.
TEST(Average, IsTheLimitOfDiscountedValuesAndAllMethodsAgree) {
  for (const auto& loss : testing::all_losses()) {
    for (const Drawn& drawn : {Drawn{40, 3, 4, 40}, Drawn{60, 2, 3, 4}, Drawn{24, 4, 2, 24}}) {
      const Mdp model = drawn_model(drawn, 11);
      const Solution solution = solve(model, long_run_average(loss));
      ASSERT_EQ(solution.status, Status::converged) << loss.to_string() << " " << drawn.states;
      constexpr double gamma = 0.9999;
      const Solution discounted = solve(model, {loss, gamma});
      const auto [low, high] = std::ranges::minmax(discounted.values);
      const double span = (1.0 - gamma) * (high - low + 2.0 * discounted.error_bound);
      // Losses that are not positively homogeneous see discounted amounts, a little smaller.
      const double slack = solution.error_bound + span + 1e-2 * std::abs(solution.average_cost);
      EXPECT_NEAR(solution.average_cost, (1.0 - gamma) * discounted.values[0], slack)
          << loss.to_string() << " " << drawn.states;
      for (const Method method : with_averages) {
        const Solution other = solve(model, long_run_average(loss), method);
        EXPECT_EQ(other.status, Status::converged) << loss.to_string() << to_string(method);
        EXPECT_NEAR(other.average_cost, solution.average_cost,
                    other.error_bound + solution.error_bound);
      }
      // The policy costs at most twice the bound more than the best.
      const Solution checked =
          evaluate(under_policy(model, solution.policy), long_run_average(loss), Evaluator::sweeps);
      EXPECT_LE(checked.average_cost,
                solution.average_cost + checked.error_bound + 3.0 * solution.error_bound);
    }
  }
}

TEST(Average, HoldsOnPeriodicAndSlowChains) {
  TransitionTable ring;  // of period 2
  TransitionTable walk;
  constexpr StateIndex states = 400;
  for (StateIndex x = 0; x < states; ++x) {
    ring.add(x, 0, (x + 1) % states, Probability(0.5), x % 7);
    ring.add(x, 0, (x + states - 1) % states, Probability(0.5), x % 5);
    walk.add(x, 0, std::min(x + 1, states - 1), Probability(0.5), 2 * x >= states);
    walk.add(x, 0, x == 0 ? 0 : x - 1, Probability(0.5), 2 * x >= states);
  }
  double mean = 0.0;
  for (StateIndex x = 0; x < states; ++x) mean += 0.5 * (x % 7 + x % 5) / states;
  const Solution of_ring = solve(Mdp::build(std::move(ring)), long_run_average(Mean()));
  EXPECT_EQ(of_ring.status, Status::converged);
  EXPECT_NEAR(of_ring.average_cost, mean, of_ring.error_bound);
  const Solution of_walk = solve(Mdp::build(std::move(walk)), long_run_average(Mean()));
  EXPECT_EQ(of_walk.status, Status::converged);
  EXPECT_NEAR(of_walk.average_cost, 0.5, of_walk.error_bound);
  EXPECT_LE(of_walk.iterations, 10);
}

TEST(Average, ThatDependsOnTheStartIsSaid) {
  TransitionTable table;  // two that are never left, and one that leads to either
  table.add(0, 0, 0, Probability(1.0), 1.0);
  table.add(1, 0, 1, Probability(1.0), 2.0);
  table.add(2, 0, 0, Probability(0.5), 0.0);
  table.add(2, 0, 1, Probability(0.5), 0.0);
  const Mdp model = Mdp::build(std::move(table));
  for (const auto& loss : testing::all_losses()) {
    for (const Method method : with_averages) {
      const Solution solution = solve(model, long_run_average(loss), method);
      EXPECT_EQ(solution.status, Status::multichain) << loss.to_string() << to_string(method);
      EXPECT_LE(solution.average_cost - solution.error_bound, 1.0);
      EXPECT_GE(solution.average_cost + solution.error_bound, 2.0);
      EXPECT_LT(solution.iterations, 1000);
    }
  }
}

/// From 1, the cheaper state 0 is reached by waiting for an event of probability 0.01 at a cost of
/// 3 instead of 2 a period. On average that pays. To the entropic agent it costs 0.99 e^{3β} or
/// more per period, for ever.
TEST(Average, MayDependOnTheStartByAversionToRiskAlone) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1.0), 1.0);
  table.add(0, 1, 1, Probability(1.0), 5.0);
  table.add(1, 0, 1, Probability(1.0), 2.0);
  table.add(1, 1, 0, Probability(0.01), 3.0);
  table.add(1, 1, 1, Probability(0.99), 3.0);
  const Mdp model = Mdp::build(std::move(table));
  for (const AnyLoss& loss : {AnyLoss(Mean()), AnyLoss(Expectile(0.9))}) {
    const Solution solution = solve(model, long_run_average(loss));
    EXPECT_EQ(solution.status, Status::converged);
    EXPECT_NEAR(solution.average_cost, 1.0, solution.error_bound);
  }
  EXPECT_EQ(solve(model, long_run_average(Entropic(0.3))).status, Status::multichain);

  // States that are left for good, but not soon enough: a cost of 10 with probability 0.9 each.
  TransitionTable left;
  left.add(0, 0, 0, Probability(0.9), 10.0);
  left.add(0, 0, 1, Probability(0.1), 10.0);
  left.add(1, 0, 1, Probability(1.0), 0.0);
  const Mdp transient = Mdp::build(std::move(left));
  EXPECT_NEAR(solve(transient, long_run_average(Mean())).average_cost, 0.0, 1e-6);
  const Solution entropic = solve(transient, long_run_average(Entropic(0.3)));
  EXPECT_EQ(entropic.status, Status::multichain);
  EXPECT_GE(entropic.average_cost + entropic.error_bound, 10.0 + std::log(0.9) / 0.3);
}

TEST(Average, RefusesWhatHasNone) {
  TransitionTable table;
  table.add(0, 0, 1, Probability(1.0), 1.0);
  const Mdp model = Mdp::build(std::move(table));
  const auto message = [](auto&& work) {
    try {
      (void)work();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message([&] { return solve(model, long_run_average(Mean())); }),
              ::testing::HasSubstr("terminal states"));
  EXPECT_THAT(message([] {
                return gauss_seidel(drawn_model({4, 2, 2, 4}, 1), long_run_average(Mean()));
              }),
              ::testing::HasSubstr("gauss-seidel"));
  EXPECT_THAT(message([] {
                return solve(drawn_model({4, 2, 2, 4}, 1), {Mean(), 1.5});
              }),
              ::testing::HasSubstr("gamma = 1.5"));
}

TEST(Average, HasTheSameBitsForAnyNumberOfThreads) {
  const Mdp model = drawn_model({3000, 3, 4, 60}, 5);
  for (const auto& loss : testing::all_losses()) {
    const Solution one = solve(model, long_run_average(loss), {}, {.threads = 1});
    const Solution three = solve(model, long_run_average(loss), {}, {.threads = 3});
    EXPECT_EQ(one.average_cost, three.average_cost);
    EXPECT_EQ(one.values, three.values);
  }
}

}  // namespace
}  // namespace shortfall
