// Contraction moduli: their formulas, checks that random pairs never exceed them, and that they
// are attained.
#include "shortfall/theory/contraction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/distortion.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/operator_h.hpp"
#include "shortfall/theory/projection.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::theory {
namespace {

using Eigen::VectorXd;
using testing::ErgodicChain;
using testing::random_vector;
using testing::uniform;

/// A pair V₁, V₂ with differences of all sizes and shapes, and |V| ≤ 60.
struct Pair {
  Pair(pcg64& generator, Eigen::Index states) : first(random_vector(generator, states, 30.0)) {
    const double size = std::exp(uniform(generator, std::log(0.01), std::log(30.0)));
    second = first;
    if (testing::one_of(generator, 4) == 0) {
      second.array() += size;
    } else {
      second += random_vector(generator, states, size);
    }
  }
  VectorXd first;
  VectorXd second;
};

// Entries of HV are sums of at most 12 terms of size αL₁ (10 + 2·60) ≤ 2·130, plus 60: each
// rounding is at most 2⁻⁵³ · 320, and there are fewer than 40 on the way.
constexpr double rounding = 40 * 320 * std::numeric_limits<double>::epsilon();

class EveryBoundedLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
  SlopeBounds slopes = loss.slope_bounds();
};
INSTANTIATE_TEST_SUITE_P(Contraction, EveryBoundedLoss,
                         ::testing::ValuesIn(testing::bounded_loss_specs()));

void expect_q_contraction(const AnyLoss& loss, double gamma, const QNormContraction& contraction,
                          pcg64& generator) {
  const ErgodicChain c(generator);
  for (const double share : {0.01, 0.25, 0.5, 0.75, 0.99}) {
    const double alpha = share * contraction.alpha_limit();
    const double modulus = contraction.modulus(alpha);
    for (int i = 0; i < 20; ++i) {
      const Pair pair(generator, c.states());
      const VectorXd image = operator_h(c.chain, loss, gamma, alpha, pair.first) -
                             operator_h(c.chain, loss, gamma, alpha, pair.second);
      ASSERT_LE(q_norm(image, c.q), modulus * q_norm(pair.first - pair.second, c.q) + rounding)
          << "gamma " << gamma << ", alpha " << alpha;
    }
  }
}

TEST_P(EveryBoundedLoss, MakesHContractInTheQNormByTheModulusOfTheLemma) {
  pcg64 generator(1);
  for (int instance = 0; instance < 40; ++instance) {
    const double gamma = uniform(generator, 0.0, 0.999) * gamma_limit(slopes);
    expect_q_contraction(loss, gamma, QNormContraction::paper(slopes, gamma), generator);
  }
}

TEST_P(EveryBoundedLoss, MakesHContractInTheQNormUpToTheSharpLimit) {
  pcg64 generator(2);
  for (int instance = 0; instance < 40; ++instance) {
    const double gamma = uniform(generator, 0.0, 0.999) * sharp_gamma_limit(slopes);
    expect_q_contraction(loss, gamma, QNormContraction::sharp(slopes, gamma), generator);
  }
}

TEST_P(EveryBoundedLoss, MakesHContractInTheSupNormForEveryDiscount) {
  pcg64 generator(3);
  for (int instance = 0; instance < 40; ++instance) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.99);
    const SupNormContraction contraction(slopes, gamma);
    for (const double share : {0.01, 0.3, 0.6, 0.8, 0.99}) {
      const double alpha = share * contraction.alpha_limit();
      for (int i = 0; i < 20; ++i) {
        const Pair pair(generator, c.states());
        const VectorXd image = operator_h(c.chain, loss, gamma, alpha, pair.first) -
                               operator_h(c.chain, loss, gamma, alpha, pair.second);
        ASSERT_LE(image.cwiseAbs().maxCoeff(),
                  contraction.modulus(alpha) * (pair.first - pair.second).cwiseAbs().maxCoeff() +
                      rounding);
      }
    }
  }
}

TEST_P(EveryBoundedLoss, HasTheValueAsFixedPointOfH) {
  pcg64 generator(4);
  for (const double gamma : {0.1, 0.9}) {
    const ErgodicChain c(generator);
    const Solution exact = evaluate_by_newton(c.chain, {loss, gamma}, {.tolerance = 1e-9});
    ASSERT_EQ(exact.status, Status::converged);
    const Eigen::Map<const VectorXd> value(exact.values.data(), c.states());
    const SupNormContraction contraction(slopes, gamma);
    for (const double share : {0.1, 0.5, 0.9}) {
      const double alpha = share * contraction.alpha_limit();
      const VectorXd image = operator_h(c.chain, loss, gamma, alpha, value);
      // ‖HV - V‖ ≤ ‖HV - HV*‖ + ‖V* - V‖ ≤ 2 ‖V - V*‖; values are within 10/(1-γ).
      EXPECT_LE((image - value).cwiseAbs().maxCoeff(),
                2.0 * exact.error_bound + rounding / (1.0 - gamma));
    }
  }
}

TEST_P(EveryBoundedLoss, LetsRepeatedHFindTheValueAtTheRateOfItsModulus) {
  pcg64 generator(5);
  const ErgodicChain c(generator);
  const double gamma = 0.5;
  const Solution exact = evaluate_by_newton(c.chain, {loss, gamma}, {.tolerance = 1e-10});
  const Eigen::Map<const VectorXd> value(exact.values.data(), c.states());
  const SupNormContraction contraction(slopes, gamma);
  VectorXd v = VectorXd::Zero(c.states());
  double bound = value.cwiseAbs().maxCoeff();
  for (int k = 0; k < 200; ++k) {
    v = operator_h(c.chain, loss, gamma, contraction.best_alpha(), v);
    bound = contraction.best_modulus() * bound + rounding;
    ASSERT_LE((v - value).cwiseAbs().maxCoeff(), bound + 2.0 * exact.error_bound) << "step " << k;
  }
}

TEST_P(EveryBoundedLoss, MakesTheBellmanOperatorContractByTheDistortionOfTheChain) {
  pcg64 generator(6);
  for (int instance = 0; instance < 40; ++instance) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.1, 1.0);
    const double modulus = gamma * std::sqrt(1.0 + distortion_coefficient(c.chain, slopes));
    for (int i = 0; i < 20; ++i) {
      const Pair pair(generator, c.states());
      VectorXd change(c.states());
      std::vector<double> targets;
      for (Eigen::Index x = 0; x < c.states(); ++x) {
        const Outcomes::Row row = c.chain.law(static_cast<std::size_t>(x));
        const auto risk = [&](const VectorXd& values) {
          targets.clear();
          for (std::size_t o = 0; o < row.next.size(); ++o) {
            targets.push_back(row.cost[o] + gamma * values[row.next[o]]);
          }
          return shortfall_risk(loss, {targets, row.probability});
        };
        change[x] = risk(pair.first) - risk(pair.second);
      }
      // The root is conditioned by L₁/ε₁.
      ASSERT_LE(q_norm(change, c.q), modulus * q_norm(pair.first - pair.second, c.q) +
                                         rounding * slopes.upper / slopes.lower);
    }
  }
}

TEST_P(EveryBoundedLoss, MakesTheParameterStepContractByItsModulus) {
  pcg64 generator(7);
  for (int instance = 0; instance < 40; ++instance) {
    const ErgodicChain c(generator);
    const Eigen::Index d = 1 + static_cast<Eigen::Index>(testing::one_of(
                                   generator, static_cast<std::size_t>(c.states())));
    const double gamma = uniform(generator, 0.0, 0.999) * gamma_limit(slopes);
    const double alpha =
        uniform(generator, 0.01, 0.99) * QNormContraction::paper(slopes, gamma).alpha_limit();
    const ParameterContraction contraction(slopes, gamma);
    Eigen::MatrixXd phi = testing::random_matrix(generator, c.states(), d);
    const double largest = Projection(phi, c.q).singular_range().largest;
    phi *= uniform(generator, 0.1, 0.99) * contraction.singular_value_limit(alpha) / largest;
    const MeanField field(c.chain, loss, gamma, phi, c.q);
    const double modulus =
        std::sqrt(contraction.squared_modulus(alpha, field.projection().singular_range()));
    EXPECT_LT(modulus, 1.0);
    for (int i = 0; i < 20; ++i) {
      const VectorXd first = random_vector(generator, d, 10.0);
      const VectorXd second = random_vector(generator, d, 10.0);
      const VectorXd image =
          first + alpha * field.drift(first) - second - alpha * field.drift(second);
      ASSERT_LE(image.norm(), modulus * (first - second).norm() + rounding);
    }
  }
}

TEST(QNormContraction, HasTheFormulaOfTheLemma) {
  const SlopeBounds slopes{0.4, 0.6};
  const double gamma = 0.5;
  const QNormContraction contraction = QNormContraction::paper(slopes, gamma);
  // ε₁ - γL₁ = 0.1, L₁²(1+γ)² = 0.81: the range ends at 0.2/0.81, and min g = 1 - 0.01/0.81.
  EXPECT_NEAR(contraction.alpha_limit(), 0.2 / 0.81, 1e-15);
  EXPECT_NEAR(contraction.g(0.1), 0.01 * 0.81 - 0.2 * 0.1 + 1.0, 1e-15);
  EXPECT_NEAR(contraction.best_modulus(), std::sqrt(1.0 - 0.01 / 0.81), 1e-15);
}

TEST(QNormContraction, RangeOfAlphaEndsWhereGIsOne) {
  for (const double gamma : {0.0, 0.3, 0.6}) {
    const QNormContraction contraction = QNormContraction::paper({0.4, 0.6}, gamma);
    const double limit = contraction.alpha_limit();
    EXPECT_NEAR(contraction.g(limit), 1.0, 1e-15);
    EXPECT_LT(contraction.g(0.999 * limit), 1.0);
    EXPECT_GT(contraction.g(1.001 * limit), 1.0);
    EXPECT_THROW(contraction.modulus(limit), InvalidInput);
    EXPECT_THROW(contraction.modulus(0.0), InvalidInput);
    EXPECT_LT(contraction.best_modulus(), contraction.modulus(0.9 * contraction.best_alpha()));
    EXPECT_LT(contraction.best_modulus(), contraction.modulus(1.1 * contraction.best_alpha()));
  }
}

TEST(QNormContraction, RejectsDiscountFactorsFromTheLimitOn) {
  const SlopeBounds slopes = Expectile(0.8).slope_bounds();  // limits 1/4 and 0.8
  EXPECT_NO_THROW(QNormContraction::paper(slopes, 0.249));
  EXPECT_THROW(QNormContraction::paper(slopes, gamma_limit(slopes)), InvalidInput);
  EXPECT_NO_THROW(QNormContraction::sharp(slopes, 0.799));
  EXPECT_THROW(QNormContraction::sharp(slopes, sharp_gamma_limit(slopes)), InvalidInput);
  EXPECT_THROW(QNormContraction::paper(Entropic(1.0).slope_bounds(), 0.0), InvalidInput);
}

TEST(Monotonicity, IsNeverBelowThatOfTheLemmaAndVanishesAtTheSharpLimit) {
  for (const double lower : {0.05, 0.3, 0.5, 1.0}) {
    const SlopeBounds slopes{lower, 1.0};
    for (double gamma = 0.0; gamma < 1.0; gamma += 1.0 / 64) {
      EXPECT_GE(monotonicity(slopes, gamma), paper_monotonicity(slopes, gamma));
    }
    EXPECT_NEAR(monotonicity(slopes, sharp_gamma_limit(slopes)), 0.0, 1e-15);
    const double seam = 2.0 * lower / (lower + 1.0);
    EXPECT_NEAR(monotonicity(slopes, std::nextafter(seam, 2.0)), lower * (1.0 - seam), 1e-15);
  }
}

/// The chain 0 → 1 → .. → n-1 → 0 without costs; its stationary law is uniform.
Chain cycle(std::size_t states) {
  std::vector<std::vector<StateIndex>> next(states);
  for (std::size_t x = 0; x < states; ++x) next[x] = {static_cast<StateIndex>((x + 1) % states)};
  return testing::graph_of(next);
}

TEST(Monotonicity, IsAttainedOnACycleOfOneRiseAndTwoFalls) {
  const AnyLoss loss = Expectile(0.9);
  const auto [lower, upper] = loss.slope_bounds();
  // Rise 2L₁/(γ(ε₁+L₁)) times the square of fall 2ε₁/(γ(ε₁+L₁)) is 1 at this γ.
  const double gamma = 2.0 * std::cbrt(lower * lower * upper) / (lower + upper);
  const double fall = 2.0 * lower / (gamma * (lower + upper));
  const VectorXd delta = Eigen::Vector3d(1.0, 1.0 / (fall * fall), 1.0 / fall);
  const std::vector<double> q(3, 1.0 / 3);
  const VectorXd residual = expected_residual(cycle(3), loss, gamma, delta);
  const double s = monotonicity({lower, upper}, gamma);
  EXPECT_GT(s, 0.0);
  EXPECT_LT(paper_monotonicity({lower, upper}, gamma), 0.0);
  EXPECT_NEAR(q_inner(delta, residual, q), -s * q_inner(delta, delta, q), 1e-14);
}

TEST(SharpGammaLimit, CannotBeImproved) {
  const AnyLoss loss = Expectile(0.9);
  const auto [lower, upper] = loss.slope_bounds();
  const Chain chain = cycle(2);
  const Eigen::MatrixXd phi = Eigen::Vector2d(1.0, std::sqrt(upper / lower));
  const std::vector<double> q{0.5, 0.5};
  const double limit = sharp_gamma_limit({lower, upper});
  const auto drift = [&](double gamma, double theta) {
    return MeanField(chain, loss, gamma, phi, q).drift(VectorXd::Constant(1, theta))[0];
  };
  for (const double theta : {0.1, 1.0, 10.0}) {
    EXPECT_NEAR(drift(limit, theta), 0.0, 1e-15 * theta);
    EXPECT_LT(drift(0.99 * limit, theta), 0.0);
    EXPECT_GT(drift(1.01 * limit, theta), 0.0);
  }
}

TEST(SupNormContraction, IsOneMinusAlphaTimesTheSmallestSlopeUpToOneOverTheLargest) {
  const SupNormContraction contraction({0.2, 0.8}, 0.9);
  for (const double alpha : {0.1, 0.5, 1.0 / 0.8}) {
    EXPECT_EQ(contraction.modulus(alpha), 1.0 - alpha * 0.2 * (1.0 - 0.9));
  }
  EXPECT_GE(contraction.best_alpha(), 1.0 / 0.8);
  EXPECT_LT(contraction.best_modulus(), contraction.modulus(0.99 * contraction.best_alpha()));
  EXPECT_LT(contraction.best_modulus(), contraction.modulus(1.01 * contraction.best_alpha()));
  EXPECT_THROW(contraction.modulus(contraction.alpha_limit()), InvalidInput);
  EXPECT_THROW(SupNormContraction({0.2, 0.8}, 1.0), InvalidInput);
}

TEST(SupNormContraction, IsAttainedOnBothBranches) {
  const AnyLoss loss = Expectile(0.8);
  const SupNormContraction contraction(loss.slope_bounds(), 0.5);
  const Chain chain = cycle(2);
  const VectorXd zero = VectorXd::Zero(2);
  const auto growth = [&](double alpha, const VectorXd& delta) {
    return operator_h(chain, loss, 0.5, alpha, delta).cwiseAbs().maxCoeff();
  };
  EXPECT_EQ(operator_h(chain, loss, 0.5, 1.0, zero), zero);
  // A constant involves only the smallest slope; opposite signs the largest in the second state.
  for (const double share : {0.2, 0.9}) {
    const double alpha = share * contraction.best_alpha();
    EXPECT_NEAR(growth(alpha, Eigen::Vector2d(1.0, 1.0)), contraction.modulus(alpha), 1e-15);
  }
  const double beyond = 0.5 * (contraction.best_alpha() + contraction.alpha_limit());
  EXPECT_NEAR(growth(beyond, Eigen::Vector2d(1.0, -1.0)), contraction.modulus(beyond), 1e-15);
}

TEST(ParameterContraction, NeedsSingularValuesBelowItsLimit) {
  const ParameterContraction contraction({0.4, 0.6}, 0.5);
  const double alpha = 0.1;
  const double limit = contraction.singular_value_limit(alpha);
  // A = 0.8 - 0.5 = 0.3 and L₁²(1+γ)² = 0.81.
  EXPECT_NEAR(limit, std::sqrt(0.3 / (0.1 * 0.81)), 1e-14);
  EXPECT_LT(contraction.squared_modulus(alpha, {0.1, 0.999 * limit}), 1.0);
  EXPECT_THROW(contraction.squared_modulus(alpha, {0.1, limit}), InvalidInput);
  EXPECT_THROW(contraction.squared_modulus(alpha, {0.0, 0.5 * limit}), InvalidInput);
  EXPECT_THROW(ParameterContraction({0.4, 0.6}, 0.8), InvalidInput);
}

TEST(ParameterContraction, FailsUnderTheConditionWithAlphaSquared) {
  // One state, feature φ, mean: Ĥ(θ) = θ - α(1-γ)φ²θ (+ cost), which expands once α(1-γ)φ² > 2.
  const SlopeBounds slopes = Mean().slope_bounds();
  const double gamma = 0.0;
  const double alpha = 0.01;
  const double with_square = std::sqrt(2.0) / alpha;  // √(A / (α²L₁²(1+γ)²)), A = 2
  const double phi = 0.99 * with_square;
  EXPECT_GT(std::abs(1.0 - alpha * phi * phi), 1.0);
  EXPECT_GT(phi, ParameterContraction(slopes, gamma).singular_value_limit(alpha));
}

TEST(Distortion, HasTheKnownLimitInTheCounterexample) {
  const Chain chain = testing::chain_of({{{0.1, 0}, {0.9, 1}}, {{0.9, 0}, {0.1, 1}}});
  EXPECT_NEAR(distortion_gamma_limit(chain, {1.0 / 11, 10.0 / 11}), std::sqrt(19.0) / 10, 1e-15);
}

TEST(Distortion, IsZeroWithoutRiskOrWithoutRiskAversion) {
  EXPECT_EQ(distortion_coefficient(cycle(3), {0.1, 0.9}), 0.0);
  EXPECT_EQ(distortion_coefficient(testing::graph_of({{0, 1}, {0}}), {1.0, 1.0}), 0.0);
  EXPECT_THROW(distortion_coefficient(cycle(3), {0.0, 1.0}), InvalidInput);
}

TEST(Distortion, MergesOutcomesThatLeadToTheSameState) {
  const Chain merged = testing::chain_of({{{0.5, 0}, {0.5, 1}}, {{1.0, 0}}});
  const Chain split = testing::chain_of({{{0.25, 0, 3.0}, {0.25, 0}, {0.5, 1}}, {{1.0, 0}}});
  EXPECT_EQ(distortion_coefficient(merged, {0.2, 0.8}), distortion_coefficient(split, {0.2, 0.8}));
}

}  // namespace
}  // namespace shortfall::theory
