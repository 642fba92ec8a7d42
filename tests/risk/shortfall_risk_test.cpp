#include "shortfall/risk/shortfall_risk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "shortfall/risk/any_loss.hpp"
#include "tests/counted_allocations.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

struct OwnedLaw {
  std::vector<double> atoms;
  std::vector<double> probabilities;
  operator Law() const { return {atoms, probabilities}; }  // NOLINT
};

OwnedLaw uniform(std::vector<double> atoms) {
  const double p = 1.0 / static_cast<double>(atoms.size());
  return {atoms, std::vector<double>(atoms.size(), p)};
}

/// Bisection on the sign of E ℓ(X - m): slow, and unrelated to Newton's method.
double risk_by_bisection(const AnyLoss& loss, const Law& law) {
  const LawSummary range = summarise(law);
  double lower = range.min;
  double upper = range.max;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * lower + 0.5 * upper;
    double sum = 0.0;
    for (std::size_t j = 0; j < law.atoms.size(); ++j) {
      sum += law.probabilities[j] * loss.at(law.atoms[j] - middle).value;
    }
    (sum > 0.0 ? lower : upper) = middle;
  }
  return 0.5 * lower + 0.5 * upper;
}

OwnedLaw random_law(std::mt19937_64& random, std::size_t size) {
  OwnedLaw law;
  double sum = 0.0;
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  for (std::size_t i = 0; i < size; ++i) {
    law.atoms.push_back(8.0 * unit() - 4.0);
    law.probabilities.push_back(unit() + 1e-3);
    sum += law.probabilities.back();
  }
  for (double& p : law.probabilities) p /= sum;
  return law;
}

TEST(ShortfallRisk, HasItsClosedFormsOnSmallLaws) {
  const OwnedLaw one_to_five = uniform({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(shortfall_risk(Expectile(0.25), Law(one_to_five)), 7.0 / 3.0);
  EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Expectile(0.25)), one_to_five), 7.0 / 3.0);
  EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Mean()), one_to_five), 3.0);
  EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Entropic(1.0)), uniform({0, 1})),
                   std::log((1.0 + std::exp(1.0)) / 2.0));
  // X in {0, 1} with P(X = 1) = p: the τ-expectile solves τ p (1 - m) = (1 - τ)(1 - p) m.
  const OwnedLaw coin{{0.0, 1.0}, {0.7, 0.3}};
  for (const double tau : {0.01, 0.3, 0.5, 0.9, 0.999}) {
    EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Expectile(tau)), coin),
                     tau * 0.3 / (tau * 0.3 + (1 - tau) * 0.7));
  }
}

TEST(ShortfallRisk, OfAConstantIsTheConstant) {
  for (const AnyLoss& loss : testing::all_losses()) {
    EXPECT_EQ(shortfall_risk(loss, uniform({-2.5})), -2.5) << loss.to_string();
    EXPECT_DOUBLE_EQ(shortfall_risk(loss, uniform({1e10, 1e10, 1e10})), 1e10) << loss.to_string();
  }
}

class EveryLossAndSize : public ::testing::TestWithParam<std::tuple<std::string, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryLossAndSize,
                         ::testing::Combine(::testing::ValuesIn(testing::loss_specs()),
                                            ::testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 16, 100)));

TEST_P(EveryLossAndSize, AgreesWithBisectionInPlainAndVectorisedForm) {
  const auto& [spec, size] = GetParam();
  const AnyLoss loss = AnyLoss::parse(spec);
  const AnyLoss plain =
      std::visit([](const auto& l) { return AnyLoss(CustomLoss(l)); }, loss.variant());
  std::mt19937_64 random(size);
  for (int trial = 0; trial < 20; ++trial) {
    const OwnedLaw law = random_law(random, size);
    const double expected = risk_by_bisection(loss, law);
    // E ℓ is found to about n u max|ℓ|; its slope at the root is at least of the order of ε₁.
    const double tolerance = 1e-12;
    EXPECT_NEAR(shortfall_risk(loss, law), expected, tolerance);
    EXPECT_NEAR(shortfall_risk(plain, law), expected, tolerance);
    EXPECT_NEAR(shortfall_risk(loss, law, expected + 0.3), expected, tolerance);
    EXPECT_NEAR(shortfall_risk(loss, law, 1e9), expected, tolerance);

    const LossPoint fast = expected_loss(loss, law, 0.1);
    const LossPoint slow = expected_loss(plain, law, 0.1);
    EXPECT_NEAR(fast.value, slow.value, 1e-13 * (1.0 + slow.left_slope * 8.0));
    EXPECT_NEAR(fast.left_slope, slow.left_slope, 1e-13 * slow.left_slope);
    EXPECT_TRUE(is_acceptable(loss, law, expected + 1e-9));
    if (size > 1) {
      EXPECT_FALSE(is_acceptable(loss, law, expected - 1e-9));
    }
  }
}

TEST(ShortfallRisk, IsExactForPiecewiseLinearLossesAcrossSixteenOrdersOfMagnitude) {
  // {0, x} with P(X = x) = 1/2: expectile τ x for any x.
  for (const double x : {1e-300, 1e-8, 1.0, 1e8, 1e300}) {
    EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Expectile(0.9)), uniform({0, x})), 0.9 * x);
  }
  // A rare atom keeps its weight: m = τp / (τp + (1-τ)(1-p)).
  const OwnedLaw rare{{0.0, 1.0}, {1.0 - 1e-12, 1e-12}};
  EXPECT_NEAR(shortfall_risk(AnyLoss(Expectile(0.9)), rare) / 9e-12, 1.0, 1e-11);
}

TEST(EntropicRisk, NeitherOverflowsNorLosesDigits) {
  const AnyLoss unit = Entropic(1.0);
  EXPECT_DOUBLE_EQ(shortfall_risk(unit, uniform({0, 1e4})), 1e4 - std::log(2.0));
  EXPECT_DOUBLE_EQ(shortfall_risk(unit, uniform({-1e4, -2e4})), -1e4 - std::log(2.0));
  EXPECT_DOUBLE_EQ(shortfall_risk(AnyLoss(Entropic(1e4)), uniform({0, 1})),
                   1 - std::log(2.0) / 1e4);
  // In powers of β the risk is Σ κ_k β^{k-1} / k! over the cumulants κ: here 1/2 + β/8 - β³/192.
  for (const double beta : {1e-4, 1e-8, 1e-12}) {
    EXPECT_NEAR(shortfall_risk(AnyLoss(Entropic(beta)), uniform({0, 1})),
                0.5 + beta / 8 - beta * beta * beta / 192, 1e-15)
        << beta;
  }
  // A rare, expensive outcome: log(1 + p (e^{βx} - 1)) / β with p e^{βx} of order one.
  const OwnedLaw rare{{0.0, 30.0}, {1.0 - 1e-13, 1e-13}};
  EXPECT_NEAR(shortfall_risk(unit, rare), std::log1p(1e-13 * std::expm1(30.0)), 4e-15);  // ulp(30)
}

TEST(TruncatedEntropicRisk, IsTheEntropicRiskIfNothingIsTruncated) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const OwnedLaw law = random_law(random, 13);
    EXPECT_NEAR(shortfall_risk(AnyLoss(TruncatedEntropic(0.6, 8.0)), law),
                shortfall_risk(AnyLoss(Entropic(0.6)), law), 1e-13);
  }
}

TEST(ShortfallRoot, TakesFewPassesAndThreeWithAnExactStart) {
  std::mt19937_64 random(3);
  for (const AnyLoss& loss : testing::all_losses()) {
    if (std::holds_alternative<Entropic>(loss.variant())) continue;
    int max_cold = 0;
    int max_warm = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const OwnedLaw law = random_law(random, 50);
      int passes = 0;
      const auto counted = [&](double m) {
        ++passes;
        return expected_loss(loss, law, m);
      };
      const double root = shortfall_root(counted, summarise(law), no_start);
      max_cold = std::max(max_cold, passes);
      passes = 0;
      EXPECT_NEAR(shortfall_root(counted, summarise(law), root), root, 1e-14);
      max_warm = std::max(max_warm, passes);
    }
    EXPECT_LE(max_cold, 13) << loss.to_string();
    EXPECT_LE(max_warm, 3) << loss.to_string();
  }
}

// The expectile in exact rational arithmetic, on laws designed to break floating-point root
// finding: rare atoms, levels close to 0 and 1, roots next to an atom, large offsets.

using Wide = __float128;

struct Case {
  std::vector<double> atoms;
  std::vector<double> probabilities;
  double tau;
};

/// Tries every split of the sorted atoms: on each, the condition τ Σ p(x-m)⁺ = (1-τ) Σ p(m-x)⁺ is
/// linear in m and solved in 113-bit arithmetic; the split is right where m lies between its parts.
double exact_expectile(const Case& c) {
  std::vector<std::size_t> order(c.atoms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return c.atoms[i] < c.atoms[j]; });
  for (std::size_t below = 1; below <= order.size(); ++below) {
    Wide weight = 0;
    Wide sum = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Wide slope = k < below ? Wide(1.0 - c.tau) : Wide(c.tau);
      weight += slope * Wide(c.probabilities[order[k]]);
      sum += slope * Wide(c.probabilities[order[k]]) * Wide(c.atoms[order[k]]);
    }
    const Wide m = sum / weight;
    const bool above_part = below == order.size() || m <= Wide(c.atoms[order[below]]);
    if (m >= Wide(c.atoms[order[below - 1]]) && above_part) return static_cast<double>(m);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Case random_case(std::mt19937_64& random) {
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  Case c;
  const std::size_t size = 2 + random() % 6;
  const double offset = std::pow(10.0, 12.0 * unit() - 6.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    c.atoms.push_back(offset + unit());
    c.probabilities.push_back(std::pow(10.0, -14.0 * unit()));
    sum += c.probabilities.back();
  }
  for (double& p : c.probabilities) p /= sum;
  const double level = std::pow(10.0, -9.0 * unit());
  c.tau = random() % 2 ? 0.5 * level : 1.0 - 0.5 * level;
  return c;
}

/// The bound of BellmanOperator::rounding for one backup: u (8 |X| + (n + 8) 2 R).
double promised(const Case& c) {
  const auto [min, max] = std::minmax_element(c.atoms.begin(), c.atoms.end());
  const double u = std::numeric_limits<double>::epsilon() / 2;
  return u * (8.0 * *max + 2.0 * (static_cast<double>(c.atoms.size()) + 8.0) * (*max - *min));
}

TEST(ExpectileRisk, IsTheExactRootForRareAtomsAndExtremeLevels) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    const Case c = random_case(random);
    const Law law{c.atoms, c.probabilities};
    const double exact = exact_expectile(c);
    ASSERT_TRUE(std::isfinite(exact));
    const AnyLoss loss = Expectile(c.tau);
    EXPECT_NEAR(shortfall_risk(loss, law), exact, promised(c)) << "tau " << c.tau;
    EXPECT_NEAR(shortfall_risk(Expectile(c.tau), law), exact, promised(c)) << "tau " << c.tau;
    // A warm start at, or one unit from, each atom: where slopes jump.
    for (const double atom : c.atoms) {
      for (const double start : {atom, std::nextafter(atom, 0.0), std::nextafter(atom, 1e300)}) {
        EXPECT_NEAR(shortfall_risk(loss, law, start), exact, promised(c)) << "tau " << c.tau;
      }
    }
  }
}

TEST(ExpectileRisk, DoesNotStopAtAShortStepBeforeAKink) {
  const Case c{
      {1000003.1127595371, 1000002.5073290736}, {0.9999999999708391, 2.9160848798949556e-11}, 1e-9};
  EXPECT_NEAR(shortfall_risk(AnyLoss(Expectile(c.tau)), {c.atoms, c.probabilities}),
              exact_expectile(c), promised(c));
}

TEST(ShortfallRisk, IgnoresAtomsOfProbabilityZero) {
  for (const char* spec : {"mean", "expectile:0.9", "entropic:1", "truncated-entropic:1,3",
                           "soft-quantile:0.8,2", "piecewise:-1:-1,0:0,1:3"}) {
    const AnyLoss loss = AnyLoss::parse(spec);
    const std::vector<double> atoms = {-1e6, 0, 1, 1e4};
    const std::vector<double> p = {0, 0.5, 0.5, 0};
    const double expected =
        shortfall_risk(loss, {std::span(atoms).subspan(1, 2), std::span(p).subspan(1, 2)});
    EXPECT_DOUBLE_EQ(shortfall_risk(loss, {atoms, p}), expected) << spec;
    EXPECT_TRUE(is_acceptable(loss, {atoms, p}, expected + 1e-9)) << spec;
    const AnyLoss plain =
        std::visit([](const auto& l) { return AnyLoss(CustomLoss(l)); }, loss.variant());
    EXPECT_NEAR(shortfall_risk(plain, {atoms, p}), expected, 1e-15) << spec;
  }
}

TEST(ShortfallRisk, IsNotFiniteIfAndOnlyIfTheSpreadOverflows) {
  const std::vector<double> p = {0.5, 0.5};
  // Of two values ±a, equally likely, the expectile is (2 tau - 1) a. Differences of 1.6e308 can be
  // represented, and of 2e308 cannot.
  for (const auto& [spec, share] :
       {std::pair("mean", 0.0), std::pair("expectile:0.5", 0.0), std::pair("expectile:0.9", 0.8)}) {
    const AnyLoss loss = AnyLoss::parse(spec);
    const std::vector<double> small = {-8e307, 8e307};
    EXPECT_NEAR(shortfall_risk(loss, {small, p}), share * 8e307, 1e293) << spec;
    const std::vector<double> large = {-1e308, 1e308};
    EXPECT_FALSE(std::isfinite(shortfall_risk(loss, {large, p}))) << spec;
  }
}

// The risk of a law allocates nothing, for any loss and any length.

TEST(ShortfallRisk, AllocatesNothing) {
  const std::vector<AnyLoss> losses = testing::all_losses();
  for (const std::size_t size : {1u, 10u, 1001u}) {
    std::vector<double> atoms(size);
    for (std::size_t i = 0; i < size; ++i) atoms[i] = static_cast<double>((i * 7919) % 1000);
    const std::vector<double> probabilities(size, 1.0 / static_cast<double>(size));
    const Law law{atoms, probabilities};
    const long before = testing::allocations;
    double sum = 0.0;
    for (const AnyLoss& loss : losses) {
      sum += shortfall_risk(loss, law) + shortfall_risk(loss, law, 3.0);
      sum += is_acceptable(loss, law, 1.0) ? 1.0 : 0.0;
    }
    EXPECT_EQ(testing::allocations, before) << size << " atoms";
    EXPECT_GT(sum, 0.0);
  }
}

}  // namespace
}  // namespace shortfall
