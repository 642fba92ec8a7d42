#include "shortfall/dp/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/library.hpp"

namespace shortfall {
namespace tolerance_tests {

TEST(ToleranceMet, IsAbsoluteIfItIsGiven) {
  const Tolerance given = 0.001;
  EXPECT_TRUE(given.is_given());
  EXPECT_EQ(given.goal(), 0.001);
  EXPECT_TRUE(given.is_met(0.001, 0.0));
  EXPECT_FALSE(given.is_met(std::nextafter(0.001, 1.0), 1e9));
}

TEST(ToleranceMet, IsAMillionthOfLargeValuesUnlessGiven) {
  const Tolerance usual;
  EXPECT_FALSE(usual.is_given());
  EXPECT_EQ(usual.goal(), 1e-6);
  EXPECT_TRUE(usual.is_met(1e-6, 0.0));
  EXPECT_FALSE(usual.is_met(std::nextafter(1e-6, 1.0), 1.0));
  EXPECT_TRUE(usual.is_met(2.1e-6, 319'744.0));  // as costs in EUR at a discount of 0.99 had it
  EXPECT_TRUE(usual.is_met(0.319744, 319'744.0));
  EXPECT_FALSE(usual.is_met(0.32, 319'744.0));
  EXPECT_EQ(Tolerance(std::optional<double>()).is_given(), false);
}

TEST(ToleranceMet, IsNoFinerThanAskedFor) {
  EXPECT_EQ(Tolerance().at_least(0.1).goal(), 0.1);
  EXPECT_FALSE(Tolerance().at_least(0.1).is_given());
  EXPECT_EQ(Tolerance(0.5).at_least(0.1).goal(), 0.5);
}

/// The forest, whose values of 8.1 to 13.9 are known, with costs in another currency.
Mdp forest_at(double scale) {
  const Mdp forest = library::forest();
  const Outcomes& outcomes = forest.outcomes();
  GroupedTable table{.state_begin = forest.state_begin(),
                     .action = forest.actions_of_rows(),
                     .outcomes = {.row_begin = outcomes.row_begin,
                                  .probability = outcomes.probability,
                                  .cost = outcomes.cost,
                                  .next = outcomes.next}};
  for (double& cost : table.outcomes.cost) cost *= scale;
  return Mdp::build(std::move(table));
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

TEST(Tolerances, LetEveryMethodSucceedWithLargeValues) {
  const Criterion criterion{AnyLoss::parse("expectile:0.9"), 0.9};
  const double scale = std::ldexp(1.0, 40);
  const Mdp model = forest_at(scale);
  const Solution small = solve(library::forest(), criterion);
  for (const Method method :
       {Method::adaptive, Method::policy_iteration, Method::modified_policy_iteration,
        Method::value_iteration, Method::gauss_seidel}) {
    const Solution usual = solve(model, criterion, method);
    EXPECT_EQ(usual.status, Status::converged) << to_string(method);
    EXPECT_GT(usual.error_bound, 1e-6) << "double precision certifies no less";
    EXPECT_LE(usual.error_bound, 1e-9 * largest(usual.values)) << "and much less than is enough";
    for (std::size_t x = 0; x < small.values.size(); ++x) {
      EXPECT_NEAR(usual.values[x], scale * small.values[x],
                  usual.error_bound + scale * small.error_bound);
    }
    const Solution given = solve(model, criterion, method, {.tolerance = 1e-6});
    EXPECT_EQ(given.status, Status::precision_limit) << "what is given is absolute";
    EXPECT_EQ(given.values, usual.values);
    EXPECT_EQ(given.error_bound, usual.error_bound);
  }
}

TEST(Tolerances, AreNotMetByAFirstGuess) {
  const Mdp model = forest_at(1e6);
  const Solution early =
      solve(model, {Mean(), 0.99}, Method::value_iteration, {.tolerance = {}, .max_iterations = 3});
  EXPECT_EQ(early.status, Status::iteration_limit);
  EXPECT_GT(early.error_bound, 1e-6 * largest(early.values));
}

}  // namespace tolerance_tests
}  // namespace shortfall
