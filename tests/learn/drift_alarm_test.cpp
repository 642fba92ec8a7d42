#include "shortfall/learn/drift_alarm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::learn::drift {
namespace {

TEST(DriftAlarm, BoundsBrownianMotionAsTabulated) {
  EXPECT_NEAR(brownian_bound(0.05), 2.2414, 5e-5);
  EXPECT_NEAR(brownian_bound(0.01), 2.8070, 5e-5);
  EXPECT_NEAR(brownian_bound(0.10), 1.9600, 5e-5);
}

TEST(DriftAlarm, RefusesARateThatIsNone) {
  for (const double rate : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THROW((void)DriftAlarm(rate), InvalidInput) << rate;
  }
}

/// x ← a x + e, the kind of noise that a chain gives.
class Autoregression {
 public:
  Autoregression(double a, std::uint64_t seed) : a_(a), bits_(seed) {}
  double next() { return x_ = a_ * x_ + draw_normal(bits_); }

 private:
  double a_;
  pcg64 bits_;
  double x_ = 0.0;
};

constexpr int streams = testing::is_sanitized() ? 50 : 1000;

/// The number of streams with an alarm; `rate` is large so that violations would show.
int false_alarms(double a, double rate) {
  int alarmed = 0;
  for (int s = 0; s < streams; ++s) {
    Autoregression noise(a, static_cast<std::uint64_t>(s));
    DriftAlarm alarm(rate);
    for (int n = 0; n < 20000; ++n) (void)alarm.add(noise.next());
    if (alarm.alarms() > 0) ++alarmed;
  }
  return alarmed;
}

TEST(DriftAlarm, KeepsItsFalseAlarmRate) {
  for (const double a : {0.0, 0.9}) {
    // At most α, and four deviations of a binomial.
    EXPECT_LE(false_alarms(a, 0.1), 0.1 * streams + 4.0 * std::sqrt(0.09 * streams)) << a;
  }
}

TEST(DriftAlarm, FindsAShiftWithinTheStatedNumberOfLosses) {
  // 40000 losses are in the third round, with m = 16384: c = √(2/3) · 3.53 · 1.27 = 3.66 with
  // sixteen batches, whose deviation may be estimated as 1.5, and the bound is at most 3 c √m. A
  // shift of 0.2 reaches it after 10600 losses, and four deviations of their sum are 2060 more.
  for (std::uint64_t s = 0; s < 20; ++s) {
    Autoregression noise(0.0, s);
    DriftAlarm alarm(0.01);
    for (int n = 0; n < 40000; ++n) ASSERT_FALSE(alarm.add(noise.next()));
    int waited = 1;
    while (!alarm.add(0.2 + noise.next())) ASSERT_LT(++waited, 12660);
    EXPECT_EQ(alarm.last_alarm(), 40000u + static_cast<std::uint64_t>(waited));
  }
}

/// Costs of a chain of two states, whose mean rises by a tenth at `change`.
template <class L>
std::vector<std::uint64_t> alarms_of(L learner, int rows, int change, std::uint64_t seed) {
  pcg64 bits(seed);
  DriftAlarm alarm(0.01);
  const std::vector<double> phi[2] = {{1.0, 0.0}, {0.0, 1.0}};
  int x = 0;
  std::vector<std::uint64_t> alarms;
  for (int n = 0; n < rows; ++n) {
    const int y = draw_uniform(bits) < 0.9 ? x : 1 - x;
    const double mean = (x == 0 ? 10.0 : 5.0) * (n < change ? 1.0 : 1.1);
    (void)learner.update(phi[x], mean + 2.0 * draw_normal(bits), phi[y]);
    if (alarm.add(learner.last_loss())) alarms.push_back(alarm.last_alarm());
    x = y;
  }
  return alarms;
}

TEST(DriftAlarm, IsQuietWhileALearnerConverges) {
  int alarmed = 0;
  const int runs = testing::is_sanitized() ? 10 : 200;
  for (int s = 0; s < runs; ++s) {
    const auto seed = static_cast<std::uint64_t>(s);
    alarmed += alarms_of(Newton(2, Expectile(0.9), 0.9), 30000, 30000, seed).empty() ? 0 : 1;
    alarmed += alarms_of(Td(2, Expectile(0.9), 0.9, PolynomialStep(1.0, 100.0)), 30000, 30000, seed)
                       .empty()
                   ? 0
                   : 1;
  }
  EXPECT_LE(alarmed, 2 * runs * 0.01 + 4.0 * std::sqrt(2 * runs * 0.01));
}

TEST(DriftAlarm, IsQuietWithoutNoise) {
  const std::vector<double> phi[5] = {
      {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
  Newton<Expectile> cycle(5, Expectile(0.9), 0.9);
  Newton<Expectile> alternating(1, Expectile(0.9), 0.9);
  DriftAlarm of_cycle;
  DriftAlarm of_alternating;
  const std::vector<double> one{1.0};
  for (std::size_t n = 0; n < 60000; ++n) {
    (void)cycle.update(phi[n % 5], 1.0 + static_cast<double>(n % 5) / 3.0, phi[(n + 1) % 5]);
    (void)alternating.update(one, static_cast<double>(n % 2), one);
    ASSERT_FALSE(of_cycle.add(cycle.last_loss())) << n;
    ASSERT_FALSE(of_alternating.add(alternating.last_loss())) << n;
  }
}

TEST(DriftAlarm, FindsATenthMoreCost) {
  for (std::uint64_t s = 0; s < 10; ++s) {
    const auto alarms = alarms_of(Newton(2, Expectile(0.9), 0.9), 65000, 50000, s);
    ASSERT_FALSE(alarms.empty()) << s;
    EXPECT_GE(alarms.front(), 50000u);
    EXPECT_LE(alarms.front(), 62000u);
  }
}

}  // namespace
}  // namespace shortfall::learn::drift
