// The default method: the same values as value iteration, on every structure, at a cost that does
// not depend on how fast the chain mixes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "tests/sanitized.hpp"

namespace shortfall {
namespace {

constexpr std::size_t states = 400;

enum class Kind { random, band, ring, queue, periodic, episodes, trap };
constexpr Names<Kind, 7> kinds{{{"random", Kind::random},
                                {"band", Kind::band},
                                {"ring", Kind::ring},
                                {"queue", Kind::queue},
                                {"periodic", Kind::periodic},
                                {"episodes", Kind::episodes},
                                {"trap", Kind::trap}}};

/// Three actions of five outcomes each. `episodes` end in the last state, `trap` has one that is
/// never left.
Mdp model_of(Kind kind) {
  auto bits = stream_generator(3, static_cast<std::uint64_t>(kind));
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(bits() % n); };
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1.0p-53; };
  const auto successor = [&](std::size_t x) -> std::size_t {
    switch (kind) {
      case Kind::random:
        return below(states);
      case Kind::band:
        return (x + states - 3 + below(7)) % states;
      case Kind::ring:
        return (x + 1 + below(2)) % states;
      case Kind::queue:
        return std::min(states - 1, x + below(3) - (x > 0 ? 1 : 0));
      case Kind::periodic:
        return (x / 100 + 1) % 4 * 100 + below(100);
      case Kind::episodes:
        return std::min(states - 1, x + 1 + below(20));
      case Kind::trap:
        return x == 7 || below(200) == 0 ? 7 : (x + 1) % states;
    }
    return x;
  };
  TransitionTable table;
  for (std::size_t x = 0; x < states; ++x) {
    if (kind == Kind::episodes && x + 1 == states) break;
    for (ActionIndex a = 0; a < 3; ++a) {
      std::vector<double> p(5);
      double sum = 0.0;
      for (double& q : p) sum += q = uniform() + 0.05;
      for (const double q : p) {
        table.add(static_cast<StateIndex>(x), a, static_cast<StateIndex>(successor(x)),
                  Probability(q / sum), 10.0 * uniform());
      }
    }
  }
  return Mdp::build(std::move(table));
}

/// The optimised tests run all of them; under sanitizers one of each kind is enough.
std::vector<std::string> adaptive_losses() {
  if (testing::is_sanitized()) return {"mean", "soft-quantile:0.8,2"};
  return {"mean", "expectile:0.9", "expectile:0.1", "entropic:0.1", "soft-quantile:0.8,2"};
}
std::vector<double> discounts() {
  if (testing::is_sanitized()) return {0.99};
  return {0.5, 0.99, 0.9999};
}

using Case = std::tuple<std::string, std::string, double>;
class EveryStructure : public ::testing::TestWithParam<Case> {
 protected:
  Mdp model = model_of(value_named(std::get<0>(GetParam()), kinds, "structure"));
  Criterion criterion{AnyLoss::parse(std::get<1>(GetParam())), std::get<2>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Adaptive, EveryStructure,
                         ::testing::Combine(::testing::Values("random", "band", "ring", "queue",
                                                              "periodic", "episodes", "trap"),
                                            ::testing::ValuesIn(adaptive_losses()),
                                            ::testing::ValuesIn(discounts())));

TEST_P(EveryStructure, IsSolvedInFewStepsAndWithinTheBound) {
  int reports = 0;
  const Monitor monitor = [&](const Progress&) {
    ++reports;
    return Request::proceed;
  };
  const Solution solution = solve(model, criterion, {.tolerance = 1e-5}, {.monitor = monitor});
  EXPECT_EQ(solution.status, Status::converged) << solution.brief_report();
  // One report after each sweep, of whichever kind, and each iteration of BiCGSTAB. Sweeps alone
  // would need two hundred thousand at γ = 0.9999. Newton's method is guaranteed to converge only
  // for losses that are convex or concave.
  const bool guaranteed = is_convex(criterion.loss) || is_concave(criterion.loss);
  EXPECT_LT(reports, guaranteed ? 8000 : 100000) << solution.brief_report();

  if (criterion.gamma > 0.99) return;  // would take sweeps minutes
  // A second method, which shares only the sweep.
  const Solution other = modified_policy_iteration(model, criterion, {.tolerance = 1e-4});
  ASSERT_EQ(other.status, Status::converged);
  for (std::size_t x = 0; x < states; ++x) {
    EXPECT_NEAR(solution.values[x], other.values[x], solution.error_bound + other.error_bound);
  }
}

TEST_P(EveryStructure, HasTheSameBitsForAnyNumberOfThreads) {
  const Solution one = solve(model, criterion, {.tolerance = 1e-5}, {.threads = 1});
  for (const int threads : {2, 3, 4}) {
    const Solution several = solve(model, criterion, {.tolerance = 1e-5}, {.threads = threads});
    EXPECT_EQ(several.values, one.values);
    EXPECT_EQ(several.policy, one.policy);
    EXPECT_EQ(several.iterations, one.iterations);
  }
}

TEST(Adaptive, DoesNotDependOnTheUnitOfCosts) {
  const Mdp model = model_of(Kind::ring);
  const auto reports_of = [&](double unit) {
    GroupedTable table;
    table.state_begin = model.state_begin();
    table.outcomes = model.outcomes();
    for (double& c : table.outcomes.cost) c *= unit;
    for (std::size_t r = 0; r < model.outcomes().rows(); ++r) {
      table.action.push_back(model.action_of_row(r));
    }
    int reports = 0;
    const Solution solution = solve(Mdp::build(std::move(table)), {Mean(), 0.9999},
                                    {.tolerance = 1e-5 * unit}, {.monitor = [&](const Progress&) {
                                      ++reports;
                                      return Request::proceed;
                                    }});
    EXPECT_EQ(solution.status, Status::converged) << solution.brief_report();
    return reports;
  };
  // Powers of two, with which all numbers scale exactly.
  const int expected = reports_of(1.0);
  EXPECT_EQ(reports_of(0x1.0p-560), expected);
  EXPECT_EQ(reports_of(0x1.0p520), expected);
}

/// A ring with one action and costs in one place, where Newton's steps may lead far away.
Mdp ring_with_rare_costs(std::size_t size) {
  auto bits = stream_generator(9, size);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1.0p-53; };
  TransitionTable table;
  for (std::size_t x = 0; x < size; ++x) {
    const double stay = uniform() + 0.01;
    const double back = uniform() + 0.01;
    const double on = uniform() + 0.01;
    const double sum = stay + back + on;
    const double cost = x % 97 == 0 ? 100.0 * uniform() : 0.0;
    const auto state = static_cast<StateIndex>(x);
    table.add(state, 0, static_cast<StateIndex>((x + size - 1) % size), Probability(back / sum),
              cost);
    table.add(state, 0, state, Probability(stay / sum), cost * (0.5 + uniform()));
    table.add(state, 0, static_cast<StateIndex>((x + 1) % size), Probability(on / sum), cost);
  }
  return Mdp::build(std::move(table));
}

TEST(Adaptive, IsNotMuchMoreWorkThanSweeps) {
  const Mdp model = ring_with_rare_costs(testing::is_sanitized() ? 60 : 250);
  for (const std::string loss : {"mean", "expectile:0.1", "expectile:0.9", "soft-quantile:0.7,0.2",
                                 "soft-quantile:0.3,3", "piecewise:-2:-1,0:0,1:4,2:4.5"}) {
    for (const double gamma : {0.99, 0.999, 0.9999}) {
      int reports = 0;
      const SolverOptions options{.tolerance = 0.01};
      const Criterion criterion{AnyLoss::parse(loss), gamma};
      const Solution by_sweeps = value_iteration(model, criterion, options);
      const Monitor monitor = [&](const Progress&) {
        ++reports;
        return Request::proceed;
      };
      const Solution solution = solve(model, criterion, options, {.monitor = monitor});
      EXPECT_EQ(solution.status, Status::converged) << loss << " " << gamma;
      // With one action, all that is reported costs at most a sweep, apart from iterations of
      // BiCGSTAB, which cost two with a preconditioner. The debt is at most half of the sweeps, and
      // the credit at the start and one step, whose cost is not known before, come on top.
      EXPECT_LT(reports, 2 * by_sweeps.iterations + 2000) << loss << " " << gamma;
    }
  }
}

TEST(Adaptive, EndsForTheSmallestCosts) {
  TransitionTable table;
  table.add(0, 0, 1, Probability(1.0), std::numeric_limits<double>::denorm_min());
  table.add(1, 0, 0, Probability(1.0), 0.0);
  const Solution solution =
      solve(Mdp::build(std::move(table)), {Mean(), 0.9},
            {.tolerance = std::numeric_limits<double>::denorm_min(), .max_iterations = 10000});
  EXPECT_EQ(solution.status, Status::precision_limit) << solution.brief_report();
}

}  // namespace
}  // namespace shortfall
