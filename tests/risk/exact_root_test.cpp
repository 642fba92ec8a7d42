// The expectile in exact rational arithmetic, on laws designed to break floating-point root
// finding: rare atoms, levels close to 0 and 1, roots next to an atom, large offsets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall {
namespace {

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

}  // namespace
}  // namespace shortfall
