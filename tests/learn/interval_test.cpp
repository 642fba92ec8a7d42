#include "shortfall/learn/interval.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/detail/batch_sums.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "tests/learn/transitions_for_tests.hpp"

namespace shortfall::learn::intervals {
namespace {

TEST(IntervalQuantiles, AreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(0.95, 10.0), 2.228139, 1e-6);
  EXPECT_NEAR(student_quantile(0.99, 63.0), 2.656145, 1e-6);
  // Abadir and Paruolo, table 1: one-sided 90, 95, 97.5 and 99 %.
  EXPECT_NEAR(random_scaling_quantile(0.80), 3.875, 5e-4);
  EXPECT_NEAR(random_scaling_quantile(0.90), 5.323, 5e-4);
  EXPECT_NEAR(random_scaling_quantile(0.95), 6.747, 5e-4);
  EXPECT_NEAR(random_scaling_quantile(0.98), 8.613, 5e-4);
}

TEST(IntervalQuantiles, OfRandomScalingAtTheUsualLevelIsTheOneFoundNextToIt) {
  // The quantile has a slope of 100 in the level there, and levels are 1e-16 apart.
  EXPECT_NEAR(random_scaling_quantile(0.95), random_scaling_quantile(std::nextafter(0.95, 1.0)),
              1e-11);
}

TEST(IntervalQuantiles, OfRandomScalingAreThoseOfSimulatedBridges) {
  // Bridges of 500 steps from 20000 draws: the frequency has a deviation of 0.0015.
  pcg64 bits(11);
  const double c = random_scaling_quantile(0.9);
  constexpr int runs = 20000;
  constexpr int steps = 500;
  int inside = 0;
  std::vector<double> path(steps);
  for (int run = 0; run < runs; ++run) {
    double sum = 0.0;
    for (double& x : path) x = sum += draw_normal(bits);
    double square = 0.0;
    for (int i = 0; i < steps; ++i) {
      const double bridge = path[static_cast<std::size_t>(i)] - sum * (i + 1) / steps;
      square += bridge * bridge / steps;
    }
    if (std::abs(sum) <= c * std::sqrt(square)) ++inside;
  }
  EXPECT_NEAR(static_cast<double>(inside) / runs, 0.9, 0.0015 * 4.0 + 0.002);
}

TEST(Interval, ByBatchMeansIsStudents) {
  std::vector<double> y{3.0, -1.0, 2.0,  0.0, 5.0, 1.0, -2.0, 4.0,
                        2.0, 3.0,  -3.0, 1.0, 0.0, 2.0, 1.0,  2.0};
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / 16.0;
  double square = 0.0;
  for (const double x : y) square += (x - mean) * (x - mean);
  const double error = std::sqrt(square / (15.0 * 50.0) / 800.0);
  const Interval found =
      detail::interval_from(7.0, y, 50, 1.0 / 800.0, IntervalMethod::batch_means, 0.9);
  EXPECT_EQ(found.status, IntervalStatus::ok);
  EXPECT_EQ(found.batches, 16u);
  EXPECT_LT(found.batch_correlation, 0.0);
  EXPECT_NEAR(found.standard_error, error, 1e-14);
  EXPECT_NEAR(found.high - 7.0, 1.753050 * error, 1e-6 * error);
  EXPECT_NEAR(7.0 - found.low, 1.753050 * error, 1e-6 * error);
}

/// Sums of an autoregression x ← a x + e over batches: its long-run variance is 1/(1 - a)².
std::vector<double> autoregression(double a, std::size_t batches, std::size_t length) {
  pcg64 bits(13);
  double x = 0.0;
  std::vector<double> sums(batches, 0.0);
  for (double& sum : sums) {
    for (std::size_t i = 0; i < length; ++i) sum += x = a * x + draw_normal(bits);
  }
  return sums;
}

TEST(Interval, MergesBatchesThatAreCorrelated) {
  std::vector<double> y = autoregression(0.97, 4096, 16);  // a memory of 33 steps
  const Interval found = detail::interval_from(0.0, y, 16, 1.0, IntervalMethod::batch_means, 0.95);
  EXPECT_EQ(found.status, IntervalStatus::ok);
  EXPECT_LT(found.batches, 4096u);
  EXPECT_NEAR(found.standard_error * 0.03, 1.0, 0.25);
}

TEST(Interval, SaysThatBatchesAreTooShort) {
  for (const auto method : {IntervalMethod::batch_means, IntervalMethod::random_scaling}) {
    std::vector<double> y(64);  // a slow wave: neighbours are alike even in sixteen batches
    for (std::size_t k = 0; k < 64; ++k) y[k] = std::sin(static_cast<double>(k) / 10.0);
    EXPECT_EQ(detail::interval_from(0.0, y, 16, 1.0, method, 0.95).status,
              IntervalStatus::short_batches);
  }
}

TEST(BatchSums, MergeNeighboursAndLoseNothing) {
  BatchSums batches(3, 1);
  std::vector<double> total(3, 0.0);
  pcg64 bits(1);
  std::uint64_t samples = 0;
  for (; samples < 100000; ++samples) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = std::floor(100.0 * draw_uniform(bits));
      batches.row()[i] += x;
      total[i] += x;
    }
    if (batches.count_sample(1.0)) batches.next();
    ASSERT_GE(batches.count(), samples < 16 * 64 ? 0u : 64u);
    ASSERT_LT(batches.count(), 128u);
  }
  EXPECT_EQ(batches.count() * batches.length() + batches.filled(), samples);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = batches.row()[i];
    for (std::size_t k = 0; k < batches.count(); ++k) sum += batches.row(k)[i];
    EXPECT_EQ(sum, total[i]);
  }
}

TEST(BatchSums, WithALongestLengthKeepTheLatest) {
  BatchSums batches(1, 1, 100);
  for (int n = 0; n < 100000; ++n) {
    batches.row()[0] += n;
    if (batches.count_sample(1.0)) batches.next();
  }
  EXPECT_EQ(batches.length(), 64u);
  const auto end = static_cast<double>(100000 - batches.filled());
  const double last = batches.row(batches.count() - 1)[0];
  EXPECT_EQ(last, 64.0 * (end - 32.5));
  EXPECT_EQ(batches.weight(0), 64.0);
}

AnyLearner taught(const LearnerOptions& options, int updates) {
  AnyLearner learner(2, options);
  testing::RandomTransitions stream(2);
  for (int n = 0; n < updates; ++n) {
    stream.advance();
    (void)learner.update(stream.phi(), stream.cost(), stream.phi_next());
  }
  return learner;
}

TEST(Interval, OfALearnerSaysNotYet) {
  const std::vector<double> phi{1.0, 0.5};
  const LearnerOptions newton{.algorithm = Algorithm::newton, .loss = Expectile(0.7), .gamma = 0.5};
  const Interval early = taught(newton, 3999).interval(phi);
  EXPECT_EQ(early.status, IntervalStatus::not_yet);
  EXPECT_EQ(early.low, -infinity);
  EXPECT_EQ(early.high, infinity);
  EXPECT_EQ(early.standard_error, infinity);
  EXPECT_EQ(early.value, taught(newton, 3999).value(phi));
  EXPECT_EQ(taught(newton, 5000).interval(phi).status, IntervalStatus::ok);

  const LearnerOptions average{.loss = Expectile(0.7),
                               .gamma = 0.5,
                               .step = PolynomialStep(50.0, 1000.0, 0.7),
                               .average_from = 1000};
  EXPECT_EQ(taught(average, 1500).interval(phi).status, IntervalStatus::not_yet);
  EXPECT_EQ(taught(average, 20000).interval(phi).status, IntervalStatus::ok);
  // Steps so small that the iterates still travel.
  LearnerOptions slow = average;
  slow.step = PolynomialStep(0.01, 100.0, 0.7);
  EXPECT_EQ(taught(slow, 20000).interval(phi).status, IntervalStatus::not_yet);
  slow.step = ConstantStep(0.1);
  EXPECT_THROW((void)taught(slow, 20000).interval(phi), InvalidInput);
}

TEST(Interval, OfALearnerIsRefusedWhereItHasNone) {
  const std::vector<double> phi{1.0, 0.5};
  LearnerOptions options{.loss = Expectile(0.7), .gamma = 0.5, .step = PolynomialStep(0.1, 100.0)};
  EXPECT_THROW((void)taught(options, 10).interval(phi), InvalidInput);
  options.average_from = 0;
  const AnyLearner average = taught(options, 10);
  EXPECT_THROW((void)average.interval(phi, {.method = IntervalMethod::batch_means}), InvalidInput);
  for (const double level : {0.0, 1.0, -0.5, 1.5, std::nan("")}) {
    EXPECT_THROW((void)average.interval(phi, {.level = level}), InvalidInput) << level;
  }
  options = {.algorithm = Algorithm::newton, .loss = Expectile(0.7), .gamma = 0.5};
  EXPECT_THROW((void)taught(options, 10).interval(std::vector{1.0}), InvalidInput);
  options.newton.variant = NewtonVariant::as_published;
  EXPECT_THROW((void)taught(options, 10).interval(phi), InvalidInput);
}

}  // namespace
}  // namespace shortfall::learn::intervals
