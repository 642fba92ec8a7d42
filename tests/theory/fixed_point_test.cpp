// The projected fixed point θ*, its error bound and the bounds on its distance from the value.
#include "shortfall/theory/fixed_point.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/theory/approximation_bound.hpp"
#include "shortfall/theory/operator_h.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using library::DeltaRoot;
using testing::ErgodicChain;
using testing::random_vector;
using testing::uniform;

/// The exact value, and its error bound in every state.
struct Value {
  Value(const Chain& chain, const AnyLoss& loss, double gamma) {
    const Solution solution = evaluate_by_newton(chain, {loss, gamma}, {.tolerance = 1e-9});
    EXPECT_EQ(solution.status, Status::converged);
    values = Eigen::Map<const VectorXd>(solution.values.data(),
                                        static_cast<Eigen::Index>(solution.values.size()));
    error = solution.error_bound;
  }
  VectorXd values;
  double error = 0.0;
};

/// The model of the convergence experiments under its policy, with d features.
struct Experiment {
  Experiment(std::uint32_t d, std::uint64_t seed)
      : generator(seed),
        mdp(library::random_mdp({.states = 10, .actions = 10, .features = d}, generator)),
        chain(under_policy(mdp.model, mdp.policy)),
        q(stationary_law(chain).probability) {}
  pcg64 generator;
  library::RandomMdp mdp;
  Chain chain;
  std::vector<double> q;
};

double distance(const MeanField& field, const VectorXd& first, const VectorXd& second) {
  return q_norm(field.projection().phi() * (first - second), field.projection().q());
}

class FixedPointOfEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
  SlopeBounds slopes = loss.slope_bounds();
};
INSTANTIATE_TEST_SUITE_P(FixedPoint, FixedPointOfEveryLoss,
                         ::testing::ValuesIn(testing::bounded_loss_specs()));

TEST_P(FixedPointOfEveryLoss, SolvesTheProjectedEquationWhateverAlpha) {
  pcg64 generator(1);
  for (int i = 0; i < 50; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.99) * gamma_limit(slopes);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), 2);
    const MeanField field(c.chain, loss, gamma, phi, c.q);
    const FixedPoint found = projected_fixed_point(field);
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    const VectorXd values = phi * found.theta;
    const QNormContraction contraction = QNormContraction::paper(slopes, gamma);
    for (const double share : {0.1, 0.5, 0.9}) {
      const double alpha = share * contraction.alpha_limit();
      const VectorXd image = field.projection()(operator_h(c.chain, loss, gamma, alpha, values));
      const double moved = q_norm(image - values, c.q);
      // ‖ΠHΦθ - Φθ‖ ≤ (1 + ᾱ) ‖Φθ - Φθ*‖, and a few roundings of values below 100.
      EXPECT_LE(moved, 2.0 * found.error_bound + 1e-12);
      EXPECT_LE(found.error_bound - 1e-9, moved / (1.0 - contraction.modulus(alpha)));
    }
  }
}

TEST_P(FixedPointOfEveryLoss, IsTheValueIfFeaturesCanRepresentIt) {
  pcg64 generator(2);
  for (int i = 0; i < 30; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.99) * sharp_gamma_limit(slopes);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), c.states());
    const MeanField field(c.chain, loss, gamma, phi, c.q);
    const FixedPoint found = projected_fixed_point(field, {.tolerance = 1e-7});
    ASSERT_EQ(found.status, FixedPointStatus::converged) << field.projection().condition();
    const Value exact(c.chain, loss, gamma);
    EXPECT_LE(q_norm(phi * found.theta - exact.values, c.q), found.error_bound + exact.error);
  }
}

TEST_P(FixedPointOfEveryLoss, IsAsCloseToTheValueAsTheLemmaSays) {
  pcg64 generator(3);
  for (int i = 0; i < 100; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.999) * gamma_limit(slopes);
    const Eigen::Index d = 1 + static_cast<Eigen::Index>(testing::one_of(generator, 2));
    const MatrixXd phi = testing::random_matrix(generator, c.states(), d);
    const MeanField field(c.chain, loss, gamma, phi, c.q);
    const FixedPoint found = projected_fixed_point(field);
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    const Value exact(c.chain, loss, gamma);
    const double error = q_norm(phi * found.theta - exact.values, c.q);
    const double slack = found.error_bound + 2.0 * exact.error;
    const double projection_error = q_norm(field.projection()(exact.values) - exact.values, c.q);
    for (const auto& contraction :
         {QNormContraction::paper(slopes, gamma), QNormContraction::sharp(slopes, gamma)}) {
      EXPECT_LE(error - slack, pythagorean_bound(contraction, projection_error));
      EXPECT_LE(pythagorean_bound(contraction, projection_error),
                lemma2_bound(contraction, projection_error));
      EXPECT_LE(lemma2_bound(contraction, projection_error),
                lemma2_bound(contraction, projection_error, 0.3 * contraction.alpha_limit()));
    }
  }
}

TEST_P(FixedPointOfEveryLoss, HasAValidBoundWheneverItStops) {
  pcg64 generator(4);
  for (int i = 0; i < 30; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.95) * sharp_gamma_limit(slopes);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), 2);
    const MeanField field(c.chain, loss, gamma, phi, c.q);
    const FixedPoint tight = projected_fixed_point(field, {.tolerance = 1e-8});
    ASSERT_EQ(tight.status, FixedPointStatus::converged);
    for (const int limit : {0, 1, 2, 3}) {
      const FixedPoint found = projected_fixed_point(
          field, {.max_iterations = limit, .start = random_vector(generator, 2, 50.0)});
      EXPECT_LE(distance(field, found.theta, tight.theta), found.error_bound + tight.error_bound);
      EXPECT_LE(found.iterations, limit);
    }
  }
}

TEST_P(FixedPointOfEveryLoss, IsTheSameFromEveryStartUpToTheSharpLimit) {
  pcg64 generator(5);
  for (int i = 0; i < 20; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.9, 0.99) * sharp_gamma_limit(slopes);
    const MeanField field(c.chain, loss, gamma, testing::random_matrix(generator, c.states(), 2),
                          c.q);
    const FixedPoint first = projected_fixed_point(field, {.tolerance = 1e-7});
    ASSERT_EQ(first.status, FixedPointStatus::converged);
    for (int start = 0; start < 5; ++start) {
      const FixedPoint other = projected_fixed_point(
          field, {.tolerance = 1e-7, .start = random_vector(generator, 2, 100.0)});
      ASSERT_EQ(other.status, FixedPointStatus::converged);
      EXPECT_LE(distance(field, first.theta, other.theta), first.error_bound + other.error_bound);
    }
  }
}

TEST(FixedPoint, IsTheLeastSquaresSolutionForTheMean) {
  pcg64 generator(6);
  for (int i = 0; i < 100; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.95);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), 2);
    // A θ = b with A = Σ q φ (φ - γ E φ')ᵀ and b = Σ q φ E c.
    MatrixXd a = MatrixXd::Zero(2, 2);
    VectorXd b = VectorXd::Zero(2);
    for (std::size_t x = 0; x < c.chain.states(); ++x) {
      const VectorXd now = phi.row(static_cast<Eigen::Index>(x)).transpose();
      const Outcomes::Row row = c.chain.law(x);
      for (std::size_t o = 0; o < row.next.size(); ++o) {
        const double mass = c.q[x] * row.probability[o];
        a += mass * now * (now.transpose() - gamma * phi.row(row.next[o]));
        b += mass * row.cost[o] * now;
      }
    }
    const VectorXd least_squares = a.fullPivLu().solve(b);
    const MeanField field(c.chain, Mean(), gamma, phi, c.q);
    const FixedPoint found = projected_fixed_point(field);
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    EXPECT_LE(found.iterations, 2);
    EXPECT_LE(distance(field, found.theta, least_squares), found.error_bound + 1e-9);
  }
}

class FixedPointBeyondTheLimits : public ::testing::TestWithParam<std::tuple<std::string, double>> {
 protected:
  AnyLoss loss = AnyLoss::parse(std::get<0>(GetParam()));
  double gamma = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Experiment, FixedPointBeyondTheLimits,
                         ::testing::Combine(::testing::Values("expectile:0.1", "expectile:0.9",
                                                              "soft-quantile:0.1,2",
                                                              "soft-quantile:0.9,2"),
                                            ::testing::Values(0.6, 0.9)));

TEST_P(FixedPointBeyondTheLimits, IsTheValueInTheExperimentsWithOneFeaturePerState) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Experiment experiment(10, seed);
    const MeanField field(experiment.chain, loss, gamma, experiment.mdp.features, experiment.q);
    const FixedPoint found = projected_fixed_point(field);
    ASSERT_EQ(found.status, FixedPointStatus::converged) << to_string(found.status) << seed;
    const Value exact(experiment.chain, loss, gamma);
    EXPECT_LE(q_norm(experiment.mdp.features * found.theta - exact.values, experiment.q),
              2.0 * found.error_estimate + exact.error + 1e-10);
  }
}

/// The limit of the mean-field ODE from 0, by explicit Euler steps that are stable by its Lipschitz
/// constant: the residual there over the residual at 0.
double residual_after_the_ode(const MeanField& field) {
  const double scale = field.loss().slope_bounds().upper * (1.0 + field.gamma());
  VectorXd theta = VectorXd::Zero(field.projection().dimension());
  const auto force = [&] {
    return field.projection().coefficients(expected_residual(
        field.chain(), field.loss(), field.gamma(), field.projection().phi() * theta));
  };
  const double first = distance(field, force(), 0.0 * theta);
  for (int step = 0; step < 10000; ++step) theta += 0.5 / scale * force();
  return distance(field, force(), 0.0 * theta) / first;
}

TEST_P(FixedPointBeyondTheLimits, IsFoundInTheExperimentsWithFewFeaturesIfTheOdeConverges) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Experiment experiment(5, seed);
    const MeanField field(experiment.chain, loss, gamma, experiment.mdp.features, experiment.q);
    const FixedPoint found = projected_fixed_point(field);
    const double end = residual_after_the_ode(field);
    if (found.status == FixedPointStatus::converged) {
      EXPECT_LE(end, 1e-9) << seed;
    } else {
      EXPECT_EQ(found.status, FixedPointStatus::diverged) << seed;
      EXPECT_GT(end, 1e3) << seed;
    }
  }
}

class BoyanChain : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(EveryLoss, BoyanChain, ::testing::ValuesIn(testing::loss_specs()));

TEST_P(BoyanChain, HasItsLinearValueAsFixedPointWithoutDiscount) {
  const AnyLoss loss = AnyLoss::parse(GetParam());
  const double c = library::boyan_final_cost(loss);
  const Mdp model = library::boyan_chain(c);
  Policy policy(model.states(), 0);
  policy.back() = no_action;
  const Chain chain = under_policy(model, policy);
  // The expected visits from the start to the end, in the order of states, as a law.
  std::vector<double> q(chain.states(), 0.0);
  q[0] = 1.0;
  double visits = 0.0;
  for (std::size_t x = 0; x + 1 < chain.states(); ++x) {
    const Outcomes::Row row = chain.law(x);
    for (std::size_t i = 0; i < row.next.size(); ++i) q[row.next[i]] += q[x] * row.probability[i];
    visits += q[x];
  }
  q.back() = 0.0;
  for (double& mass : q) mass /= visits;
  const MeanField field(chain, loss, 1.0, library::boyan_features(), q);
  EXPECT_NEAR(field.effective_gamma(), 1.0, 1e-15);
  const FixedPoint found = projected_fixed_point(field);
  ASSERT_EQ(found.status, FixedPointStatus::converged) << to_string(found.status);
  EXPECT_LE((found.theta - c * Eigen::Vector4d(13, 9, 5, 1)).cwiseAbs().maxCoeff(), 1e-8);
}

/// The counterexample as a mean field, with a cost in both states.
struct TwoStates {
  TwoStates(double p, DeltaRoot root, double cost = 0.0)
      : example(library::counterexample(p, root)),
        chain(testing::chain_of(
            {{{1.0 - p, 0, cost}, {p, 1, cost}}, {{p, 0, cost}, {1.0 - p, 1, cost}}})),
        field(chain, example.loss, example.gamma, example.features, std::vector{0.5, 0.5}) {}
  library::Counterexample example;
  Chain chain;
  MeanField field;
};

FixedPoint from(const MeanField& field, double theta) {
  return projected_fixed_point(field, {.start = VectorXd::Constant(1, theta)});
}

class TwoStateCounterexample : public ::testing::TestWithParam<DeltaRoot> {};
INSTANTIATE_TEST_SUITE_P(BothDeltas, TwoStateCounterexample,
                         ::testing::Values(DeltaRoot::smaller, DeltaRoot::larger));

TEST_P(TwoStateCounterexample, HasRootsThatAreNotIsolatedAtNineTenths) {
  const TwoStates two(0.9, GetParam());
  for (const double theta : {0.1, 1.0, 10.0}) {
    const FixedPoint found = from(two.field, theta);
    EXPECT_EQ(found.status, FixedPointStatus::not_isolated) << to_string(found.status);
    EXPECT_EQ(found.iterations, 0);
    EXPECT_NEAR(found.theta[0], theta, 1e-15 * theta);
    EXPECT_EQ(found.error_bound, std::numeric_limits<double>::infinity());
  }
  // From the left it arrives at the end of the line, on either side up to rounding.
  const FixedPoint left = from(two.field, -1.0);
  EXPECT_TRUE(left.status == FixedPointStatus::converged ||
              left.status == FixedPointStatus::not_isolated);
  EXPECT_NEAR(left.theta[0], 0.0, 1e-9);
}

TEST_P(TwoStateCounterexample, HasItsOneRootAtZeroAboveNineTenthsThoughItIsUnstable) {
  const TwoStates two(0.95, GetParam());
  for (const double theta : {-1.0, 0.0, 1.0}) {
    const FixedPoint found = from(two.field, theta);
    EXPECT_EQ(found.status, FixedPointStatus::converged);
    EXPECT_NEAR(found.theta[0], 0.0, 1e-9);
  }
}

TEST_P(TwoStateCounterexample, HasNoRootWithACostAndDiverges) {
  // At 9/10 the Jacobian is singular along the whole path, above it has the wrong sign.
  for (const double p : {0.9, 0.95}) {
    const TwoStates two(p, GetParam(), 1.0);
    for (double theta = -100.0; theta <= 100.0; theta += 0.25) {
      ASSERT_GT(two.field.drift(VectorXd::Constant(1, theta))[0], 0.0);
    }
    for (const double theta : {-1.0, 0.0, 1.0, 100.0}) {
      const FixedPoint found = from(two.field, theta);
      EXPECT_EQ(found.status, FixedPointStatus::diverged) << to_string(found.status) << p;
    }
  }
}

TEST(FixedPoint, IsReachedFromAKinkThatMakesNewtonOvershoot) {
  // One state that returns to itself: V = ρ(c) / (1 - γ). At the start the likelier outcome has a
  // difference of exactly 0, where the left slope is 199 times smaller than the relevant one.
  const AnyLoss loss = Expectile(0.995);
  const std::vector<double> costs{0.9375, 0.0};
  const std::vector<double> probabilities{0.9, 0.1};
  const Chain chain = testing::chain_of({{{0.9, 0, costs[0]}, {0.1, 0, costs[1]}}});
  const MeanField field(chain, loss, 0.0625, MatrixXd::Ones(1, 1), std::vector{1.0});
  ASSERT_GT(field.monotonicity(), 0.0);
  const FixedPoint found = from(field, 1.0);
  ASSERT_EQ(found.status, FixedPointStatus::converged);
  const double exact = shortfall_risk(loss, Law{costs, probabilities}) / 0.9375;
  EXPECT_LE(std::abs(found.theta[0] - exact), found.error_bound + 1e-15);
}

TEST(FixedPoint, ReportsAToleranceBelowRounding) {
  pcg64 generator(7);
  const ErgodicChain c(generator);
  const MeanField field(c.chain, Mean(), 0.5, MatrixXd::Ones(c.states(), 1), c.q);
  const FixedPoint found = projected_fixed_point(field, {.tolerance = 1e-30});
  EXPECT_EQ(found.status, FixedPointStatus::precision_limit);
  EXPECT_LE(found.error_bound, 1e-10);
}

TEST(FixedPoint, RejectsInconsistentArguments) {
  const Chain chain = testing::graph_of({{0, 1}, {0}});
  const MeanField field(chain, Mean(), 0.5, MatrixXd::Ones(2, 1), std::vector{2.0 / 3, 1.0 / 3});
  EXPECT_THROW(static_cast<void>(projected_fixed_point(field, {.tolerance = 0.0})), InvalidInput);
  EXPECT_THROW(static_cast<void>(projected_fixed_point(field, {.start = VectorXd::Ones(2)})),
               InvalidInput);
}

TEST(ApproximationBound, HasTheFactorOfTheLemma) {
  const QNormContraction contraction = QNormContraction::paper({0.4, 0.6}, 0.5);
  const double modulus = contraction.best_modulus();  // √(1 - 0.01/0.81)
  EXPECT_NEAR(lemma2_bound(contraction, 2.0), 2.0 / (1.0 - modulus), 1e-10);
  EXPECT_NEAR(pythagorean_bound(contraction, 2.0), 2.0 * 0.9 / 0.1, 1e-12);
  EXPECT_NEAR(lemma2_bound(contraction, 2.0, 0.1), 2.0 / (1.0 - contraction.modulus(0.1)), 1e-10);
  EXPECT_THROW(lemma2_bound(contraction, 2.0, contraction.alpha_limit()), InvalidInput);
  EXPECT_THROW(pythagorean_bound(contraction, 2.0, 0.0), InvalidInput);
  EXPECT_EQ(lemma2_bound(contraction, 0.0), 0.0);
}

}  // namespace
}  // namespace shortfall::theory
