// Every solver agrees with every other, on every library model, for every loss.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/risk/losses_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall {
namespace {

/// Values reach 1e5 here (river swim), where double arithmetic certifies about 4e-8.
constexpr double tolerance = 1e-7;
const SolverOptions options{.tolerance = tolerance};

/// The optimised tests run all of them; under sanitizers one of each kind is enough.
std::vector<std::string> losses() {
  if (!testing::is_sanitized()) return testing::loss_specs();
  return {"mean", "expectile:0.9", "entropic:0.5", "truncated-entropic:0.5,2",
          "soft-quantile:0.8,2"};
}

class EveryModelAndLoss
    : public ::testing::TestWithParam<std::tuple<library::NamedModel, std::string>> {};

INSTANTIATE_TEST_SUITE_P(Library, EveryModelAndLoss,
                         ::testing::Combine(::testing::ValuesIn(library::small_models()),
                                            ::testing::ValuesIn(losses())),
                         [](const auto& instance) {
                           std::string name =
                               std::get<0>(instance.param).name + "_" + std::get<1>(instance.param);
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double bound) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t x = 0; x < a.size(); ++x) EXPECT_NEAR(a[x], b[x], bound) << "state " << x;
}

TEST_P(EveryModelAndLoss, HasTheSameOptimumByEveryMethod) {
  const auto& [named, spec] = GetParam();
  const Criterion criterion{AnyLoss::parse(spec), 0.95};
  const Solution reference = value_iteration(named.model, criterion, options);
  ASSERT_EQ(reference.status, Status::converged) << reference.brief_report();
  for (const Method method : {Method::gauss_seidel, Method::modified_policy_iteration,
                              Method::policy_iteration, Method::adaptive}) {
    SCOPED_TRACE(to_string(method));
    const Solution solution = solve(named.model, criterion, method, options);
    ASSERT_EQ(solution.status, Status::converged) << solution.brief_report();
    EXPECT_LE(solution.error_bound, tolerance);
    expect_same(solution.values, reference.values, solution.error_bound + reference.error_bound);
  }
}

TEST_P(EveryModelAndLoss, IsAttainedByItsPolicyUnderEveryEvaluationMethod) {
  const auto& [named, spec] = GetParam();
  const Criterion criterion{AnyLoss::parse(spec), 0.95};
  const Solution optimum = policy_iteration(named.model, criterion, options);
  const Chain chain = under_policy(named.model, optimum.policy);
  const Solution swept = evaluate_by_sweeps(chain, criterion, options);
  const Solution newton = evaluate_by_newton(chain, criterion, options);
  ASSERT_EQ(swept.status, Status::converged) << swept.brief_report();
  ASSERT_EQ(newton.status, Status::converged) << newton.brief_report();
  expect_same(newton.values, swept.values, newton.error_bound + swept.error_bound);
  // A greedy policy of values within e of the optimum is within 2 γ e / (1 - γ) of it.
  const double e = optimum.error_bound;
  expect_same(newton.values, optimum.values, e + newton.error_bound + 2 * 0.95 / 0.05 * e);
}

TEST_P(EveryModelAndLoss, IsBitwiseIdenticalForAnyNumberOfThreads) {
  const auto& [named, spec] = GetParam();
  const Criterion criterion{AnyLoss::parse(spec), 0.95};
  for (const Method method :
       {Method::value_iteration, Method::policy_iteration, Method::adaptive}) {
    const Solution one = solve(named.model, criterion, method, {}, {.threads = 1});
    const Solution two = solve(named.model, criterion, method, {}, {.threads = 2});
    EXPECT_EQ(one.values, two.values);
    EXPECT_EQ(one.policy, two.policy);
    EXPECT_EQ(one.error_bound, two.error_bound);
  }
}

TEST_P(EveryModelAndLoss, IsTheLimitOfLongHorizons) {
  const auto& [named, spec] = GetParam();
  const Criterion criterion{AnyLoss::parse(spec), 0.8};
  const Solution infinite = value_iteration(named.model, criterion, options);
  const FiniteHorizonSolution finite =
      solve_finite_horizon(named.model, criterion, {.stages = 200});
  ASSERT_EQ(finite.status, Status::converged);
  // The truncated part is at most γ^T max |V*|.
  double largest = 0.0;
  for (const double v : infinite.values) largest = std::max(largest, std::abs(v));
  const double cut = std::pow(0.8, 200) * largest;
  expect_same(finite.values.back(), infinite.values,
              cut + finite.error_bound + infinite.error_bound);
}

TEST_P(EveryModelAndLoss, IsAlsoFoundByTheReferenceKernel) {
  const auto& [named, spec] = GetParam();
  const AnyLoss loss = AnyLoss::parse(spec);
  const AnyLoss plain =
      std::visit([](const auto& l) { return AnyLoss(CustomLoss(l)); }, loss.variant());
  const Solution fast = value_iteration(named.model, {loss, 0.95}, options);
  const Solution slow = value_iteration(named.model, {plain, 0.95}, options);
  ASSERT_EQ(slow.status, Status::converged) << slow.brief_report();
  expect_same(fast.values, slow.values, fast.error_bound + slow.error_bound);
}

}  // namespace
}  // namespace shortfall
