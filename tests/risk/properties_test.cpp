#include <gtest/gtest.h>
// after gtest.h, which it does not include itself
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shortfall/risk/any_loss.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

/// A law with 1 to 12 atoms in [-10, 10], and a second cost on the same outcomes.
struct Pair {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> p;
};

Pair any_pair() {
  const auto size = *rc::gen::inRange<std::size_t>(1, 13);
  const auto cost = [] { return *rc::gen::inRange(-1000, 1001) / 100.0; };
  Pair pair;
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    pair.x.push_back(cost());
    pair.y.push_back(cost());
    pair.p.push_back(*rc::gen::inRange(1, 1000));
    sum += pair.p.back();
  }
  for (double& p : pair.p) p /= sum;
  return pair;
}

AnyLoss any_loss() {
  return AnyLoss::parse(*rc::gen::elementOf(testing::loss_specs()));
}

/// Costs here are within 10, slopes within a factor of e^8: risks are far more accurate than this.
constexpr double slack = 1e-10;

RC_GTEST_PROP(ShortfallRisk, IsMonotone, ()) {
  const AnyLoss loss = any_loss();
  const Pair pair = any_pair();
  std::vector<double> larger(pair.x.size());
  for (std::size_t i = 0; i < larger.size(); ++i) larger[i] = std::max(pair.x[i], pair.y[i]);
  RC_ASSERT(shortfall_risk(loss, {pair.x, pair.p}) <=
            shortfall_risk(loss, {larger, pair.p}) + slack);
}

RC_GTEST_PROP(ShortfallRisk, IsTranslationInvariant, ()) {
  const AnyLoss loss = any_loss();
  const Pair pair = any_pair();
  const double constant = *rc::gen::inRange(-1000, 1000) / 10.0;
  std::vector<double> shifted = pair.x;
  for (double& x : shifted) x += constant;
  RC_ASSERT(std::abs(shortfall_risk(loss, {shifted, pair.p}) -
                     (shortfall_risk(loss, {pair.x, pair.p}) + constant)) <= slack);
}

RC_GTEST_PROP(ShortfallRisk, LiesBetweenTheSmallestAndTheLargestAtom, ()) {
  const AnyLoss loss = any_loss();
  const Pair pair = any_pair();
  const double risk = shortfall_risk(loss, {pair.x, pair.p});
  RC_ASSERT(risk >= *std::min_element(pair.x.begin(), pair.x.end()));
  RC_ASSERT(risk <= *std::max_element(pair.x.begin(), pair.x.end()));
}

RC_GTEST_PROP(ShortfallRisk, IsConvexOrConcaveIfTheLossIs, ()) {
  const AnyLoss loss = any_loss();
  const Pair pair = any_pair();
  const double weight = *rc::gen::inRange(0, 101) / 100.0;
  std::vector<double> mixed(pair.x.size());
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    mixed[i] = weight * pair.x[i] + (1.0 - weight) * pair.y[i];
  }
  const double of_mix = shortfall_risk(loss, {mixed, pair.p});
  const double mix_of = weight * shortfall_risk(loss, {pair.x, pair.p}) +
                        (1.0 - weight) * shortfall_risk(loss, {pair.y, pair.p});
  if (is_convex(loss)) RC_ASSERT(of_mix <= mix_of + slack);
  if (is_concave(loss)) RC_ASSERT(of_mix >= mix_of - slack);
}

RC_GTEST_PROP(ExpectileRisk, IsPositivelyHomogeneous, ()) {
  const AnyLoss loss = Expectile(*rc::gen::inRange(1, 100) / 100.0);
  const Pair pair = any_pair();
  const double factor = *rc::gen::inRange(0, 1000) / 10.0;
  std::vector<double> scaled = pair.x;
  for (double& x : scaled) x *= factor;
  RC_ASSERT(std::abs(shortfall_risk(loss, {scaled, pair.p}) -
                     factor * shortfall_risk(loss, {pair.x, pair.p})) <= slack * (1.0 + factor));
}

RC_GTEST_PROP(ExpectileRisk, IncreasesWithItsLevelAndMirrorsAroundOneHalf, ()) {
  const int level = *rc::gen::inRange(1, 99);
  const Pair pair = any_pair();
  const double risk = shortfall_risk(AnyLoss(Expectile(level / 100.0)), {pair.x, pair.p});
  RC_ASSERT(risk <=
            shortfall_risk(AnyLoss(Expectile((level + 1) / 100.0)), {pair.x, pair.p}) + slack);
  std::vector<double> mirrored = pair.x;
  for (double& x : mirrored) x = -x;
  RC_ASSERT(std::abs(risk + shortfall_risk(AnyLoss(Expectile(1.0 - level / 100.0)),
                                           {mirrored, pair.p})) <= slack);
}

RC_GTEST_PROP(ShortfallRisk, MinimisesTheExpectedScore, ()) {
  const AnyLoss loss = any_loss();
  const Pair pair = any_pair();
  const auto expected_score = [&](double m) {
    double sum = 0.0;
    for (std::size_t i = 0; i < pair.x.size(); ++i) sum += pair.p[i] * loss.score(pair.x[i] - m);
    return sum;
  };
  const double risk = shortfall_risk(loss, {pair.x, pair.p});
  const double least = expected_score(risk);
  for (const double step : {-2.0, -0.3, -0.01, 0.01, 0.3, 2.0}) {
    RC_ASSERT(expected_score(risk + step) > least);
  }
}

}  // namespace
}  // namespace shortfall
