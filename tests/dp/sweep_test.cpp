// The vectorised sweep against a plain loop: short rows, which share a vector, and long ones; costs
// that are equal within a row, which are read once, and costs that are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

constexpr double gamma = 0.9;

/// States with up to nine actions and rows of 1 to 70 outcomes. In every third row costs are equal,
/// every seventh state is terminal, and every eleventh has a long row among short ones.
Mdp uneven_model(std::size_t states) {
  auto bits = stream_generator(7, states);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(bits() % n); };
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1.0p-53; };
  GroupedTable table;
  Outcomes& outcomes = table.outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    const std::size_t actions = x % 7 == 3 ? 0 : 1 + below(9);
    for (std::size_t a = 0; a < actions; ++a) {
      const std::size_t count = x % 11 == 0 && a == 0 ? 40 + below(31) : 1 + below(34);
      const double base = 10.0 * uniform();
      double sum = 0.0;
      for (std::size_t j = 0; j < count; ++j) {
        outcomes.probability.push_back(uniform() + 0.01);
        sum += outcomes.probability.back();
        outcomes.cost.push_back(table.action.size() % 3 == 0 ? base : 10.0 * uniform());
        outcomes.next.push_back(static_cast<StateIndex>(below(states)));
      }
      for (std::size_t j = 0; j < count; ++j) {
        outcomes.probability[outcomes.probability.size() - 1 - j] /= sum;
      }
      outcomes.row_begin.push_back(outcomes.probability.size());
      table.action.push_back(static_cast<ActionIndex>(a));
    }
    table.state_begin.push_back(table.action.size());
  }
  return Mdp::build(std::move(table));
}

class EveryLossSwept : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Sweep, EveryLossSwept, ::testing::ValuesIn(testing::loss_specs()));

TEST_P(EveryLossSwept, EqualsThePlainLoop) {
  const AnyLoss loss = AnyLoss::parse(GetParam());
  const Mdp model = uneven_model(500);
  std::vector<double> values(500);
  for (std::size_t x = 0; x < 500; ++x) values[x] = static_cast<double>(x % 13) - 4.0;
  const BellmanOperator bellman(model, {loss, gamma});
  std::vector<double> backed_up(500);
  std::vector<double> of_policy(500);
  std::vector<std::size_t> rows(500);
  const SweepSummary sweep = bellman.apply(values, backed_up, rows);
  // Twice the bound on rounding: one for each of the two computations.
  double tolerance = 2.0 * bellman.rounding(sweep);
  if (!std::isfinite(tolerance)) tolerance = 1e-9;  // losses without a bound
  for (std::size_t x = 0; x < 500; ++x) {
    double best = 0.0;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      const Outcomes::Row law = model.law(r);
      std::vector<double> targets;
      for (std::size_t j = 0; j < law.next.size(); ++j) {
        targets.push_back(law.cost[j] + gamma * values[law.next[j]]);
      }
      const double risk = shortfall_risk(loss, {targets, law.probability});
      if (r == model.state_begin()[x] || risk < best) best = risk;
      if (r == rows[x]) {
        EXPECT_NEAR(risk, backed_up[x], tolerance);
      }
    }
    EXPECT_NEAR(backed_up[x], best, tolerance) << "state " << x;
    EXPECT_EQ(rows[x] == no_row, model.is_terminal(x));
  }
  bellman.apply_policy(values, of_policy, rows);
  for (std::size_t x = 0; x < 500; ++x) EXPECT_NEAR(of_policy[x], backed_up[x], tolerance);
}

TEST_P(EveryLossSwept, IsTheSameForAnyNumberOfThreads) {
  const AnyLoss loss = AnyLoss::parse(GetParam());
  const Mdp model = uneven_model(3000);
  std::vector<double> values(3000);
  for (std::size_t x = 0; x < 3000; ++x) values[x] = static_cast<double>(x % 17);
  std::vector<double> expected(3000);
  BellmanOperator(model, {loss, gamma}, {.threads = 1}).apply(values, expected);
  for (const int threads : {2, 3, 4}) {
    if (testing::is_sanitized() && threads > 2) continue;
    std::vector<double> found(3000);
    BellmanOperator(model, {loss, gamma}, {.threads = threads}).apply(values, found);
    EXPECT_EQ(found, expected) << threads;
  }
}

}  // namespace
}  // namespace shortfall
