#include "shortfall/learn/newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "shortfall/errors/error.hpp"
#include "tests/learn/transitions_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::learn {
namespace {

using testing::RandomTransitions;
using Long = long double;
using Matrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

constexpr double gamma = 0.9;

NewtonOptions as_published(std::uint64_t warmup) {
  return {.warmup = warmup, .variant = NewtonVariant::as_published};
}

Vector vector_of(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()))
      .cast<Long>();
}

/// ‖a - b‖ / ‖b‖.
double relative_distance(std::span<const double> a, const Vector& b) {
  return static_cast<double>((vector_of(a) - b).norm() / b.norm());
}

/// One observation (X, Z, c).
struct Observation {
  explicit Observation(const RandomTransitions& stream)
      : x(vector_of(stream.phi())),
        z(Long(gamma) * vector_of(stream.phi_next()) - x),
        cost(stream.cost()) {}
  LossPoint residual(const AnyLoss& loss, const Vector& theta) const {
    return loss.at(static_cast<double>(z.dot(theta) + cost));
  }
  Vector x;
  Vector z;
  double cost;
};

/// The algorithm as written in the paper: means of n terms, the inverse of Ĥ by the
/// Sherman-Morrison formula, θ̂ = θ̄ - Ĥ⁻¹L. In extended precision.
class LiteralNewton {
 public:
  LiteralNewton(Eigen::Index d, Long warmup)
      : warmup_(warmup),
        theta_(Vector::Zero(d)),
        mean_theta_(theta_),
        mean_loss_(theta_),
        information_(Matrix::Zero(d, d)) {}

  void update(const Observation& o, const LossPoint& residual) {
    const Long slope = residual.left_slope;
    if (n_ < warmup_) {
      mean_loss_ += o.x * Long(residual.value) / warmup_;
      information_ += o.x * o.z.transpose() * slope / warmup_;
      if (++n_ == warmup_) inverse_ = information_.inverse();
      return;
    }
    mean_theta_ = (n_ * mean_theta_ + theta_) / (n_ + 1);
    mean_loss_ = n_ / (n_ + 1) * mean_loss_ + o.x * Long(residual.value) / (n_ + 1);
    const Vector u = inverse_ * o.x;
    const Vector v = inverse_.transpose() * o.z;
    inverse_ = (n_ + 1) / n_ * inverse_ -
               ((n_ + 1) / (n_ * n_) * u * v.transpose()) / (1 / slope + o.z.dot(u) / n_);
    theta_ = mean_theta_ - inverse_ * mean_loss_;
    ++n_;
  }

  const Vector& theta() const { return theta_; }

 private:
  Long warmup_;
  Long n_ = 0;
  Vector theta_, mean_theta_, mean_loss_;
  Matrix information_, inverse_;
};

TEST(Newton, AgreesWithTheLiteralRecursionForEveryLoss) {
  constexpr std::size_t d = 5;
  for (const AnyLoss& loss : testing::all_losses()) {
    // An exponential of errors near 30 exceeds the digits of a double: β = 3 gives e^90.
    if (std::holds_alternative<Entropic>(loss.variant()) && loss.at(1.0).value > 10.0) continue;
    RandomTransitions stream(d);
    Newton<AnyLoss> newton(d, loss, gamma, as_published(50));
    LiteralNewton literal(d, 50);
    double worst = 0.0;
    for (int n = 0; n < 10000; ++n) {
      stream.advance();
      const Observation observation(stream);
      literal.update(observation, observation.residual(loss, literal.theta()));
      const LearnerStatus status = newton.update(stream.phi(), stream.cost(), stream.phi_next());
      ASSERT_EQ(status, n + 1 < 50 ? LearnerStatus::warming_up : LearnerStatus::ok) << n;
      if (n >= 60) worst = std::max(worst, relative_distance(newton.theta(), literal.theta()));
    }
    EXPECT_LT(worst, 1e-9) << loss.to_string();
    EXPECT_GT(newton.information().inversions(), 10u);
  }
}

/// The same estimate from its definition: sums over all samples, and a direct solve.
class DirectNewton {
 public:
  explicit DirectNewton(Eigen::Index d)
      : sum_(Matrix::Zero(d, d)), loss_sum_(Vector::Zero(d)), theta_sum_(Vector::Zero(d)) {}

  void add(const Vector& x, const Vector& z, const LossPoint& residual, const Vector& theta) {
    sum_ += x * z.transpose() * Long(residual.left_slope);
    loss_sum_ += x * Long(residual.value);
    theta_sum_ += theta;
    n_ += 1;
  }
  Vector theta() const { return theta_sum_ / n_ - sum_.partialPivLu().solve(loss_sum_); }

 private:
  Matrix sum_;
  Vector loss_sum_, theta_sum_;
  Long n_ = 0;
};

TEST(Newton, IsTheDirectSolveOfItsSumsAtEveryUpdate) {
  const AnyLoss loss = AnyLoss::parse("soft-quantile:0.7,2");
  RandomTransitions stream(6);
  Newton<AnyLoss> newton(6, loss, gamma, as_published(20));
  DirectNewton direct(6);
  for (int n = 1; n <= 2000; ++n) {
    stream.advance();
    const Observation observation(stream);
    const Vector theta = vector_of(newton.theta());
    direct.add(observation.x, observation.z, observation.residual(loss, theta), theta);
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
    if (n <= 20) continue;
    ASSERT_LT(relative_distance(newton.theta(), direct.theta()), 1e-9) << n;
  }
}

TEST(Newton, DriftAfterTenMillionUpdatesIsBelowOneInAHundredMillion) {
  constexpr std::size_t d = 3;
  const AnyLoss loss = AnyLoss::parse("expectile:0.8");
  RandomTransitions stream(d);
  std::vector<std::vector<double>> phi;
  std::vector<double> cost;
  constexpr std::size_t period = 1009;  // a repeated stream costs no time to generate
  for (std::size_t n = 0; n <= period; ++n) {
    stream.advance();
    phi.emplace_back(stream.phi().begin(), stream.phi().end());
    cost.push_back(stream.cost());
  }
  Newton<AnyLoss> newton(d, loss, gamma, {.variant = NewtonVariant::as_published});
  Long sum[d][d] = {};
  Long loss_sum[d] = {};
  Long theta_sum[d] = {};
  constexpr std::size_t updates = testing::is_sanitized() ? 100000 : 10000000;
  for (std::size_t n = 0; n < updates; ++n) {
    const std::vector<double>& now = phi[n % period];
    const std::vector<double>& next = phi[n % period + 1];
    Long error = cost[n % period];
    Long z[d];
    for (std::size_t i = 0; i < d; ++i) {
      z[i] = Long(gamma) * next[i] - now[i];
      error += z[i] * newton.theta()[i];
    }
    const LossPoint point = loss.at(static_cast<double>(error));
    for (std::size_t i = 0; i < d; ++i) {
      theta_sum[i] += newton.theta()[i];
      loss_sum[i] += Long(point.value) * now[i];
      for (std::size_t j = 0; j < d; ++j) sum[i][j] += point.left_slope * now[i] * z[j];
    }
    (void)newton.update(now, cost[n % period], next);
  }
  Matrix s(d, d);
  Vector l(d);
  Vector direct(d);
  for (std::size_t i = 0; i < d; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    l(row) = loss_sum[i];
    direct(row) = theta_sum[i] / updates;
    for (std::size_t j = 0; j < d; ++j) s(row, static_cast<Eigen::Index>(j)) = sum[i][j];
  }
  direct -= s.partialPivLu().solve(l);
  EXPECT_LT(relative_distance(newton.theta(), direct), 1e-8);
  EXPECT_EQ(newton.updates(), updates);
  EXPECT_EQ(newton.information().failed_inversions(), 0u);
}

/// A learner and its direct counterpart, fed the same samples.
template <class L>
class Pair {
 public:
  Pair(std::size_t d, const L& loss, const NewtonOptions& options)
      : newton(d, loss, gamma, options), direct_(static_cast<Eigen::Index>(d)) {}

  LearnerStatus update(const std::vector<double>& phi, double cost,
                       const std::vector<double>& phi_next) {
    const Vector x = vector_of(phi);
    const Vector z = Long(gamma) * vector_of(phi_next) - x;
    const Vector theta = vector_of(newton.theta());
    direct_.add(x, z, newton.loss().at(static_cast<double>(z.dot(theta) + cost)), theta);
    return newton.update(phi, cost, phi_next);
  }
  double distance() const { return relative_distance(newton.theta(), direct_.theta()); }

  Newton<L> newton;

 private:
  DirectNewton direct_;
};

TEST(Newton, CollectsUntilItsMatrixIsInvertible) {
  // Two features that are the same for 100 samples, n₀ = 10, and independent from then on.
  RandomTransitions stream(2);
  Pair<Expectile> pair(2, Expectile(0.7), as_published(10));
  for (int n = 1; n <= 100; ++n) {
    stream.advance();
    const double now = stream.phi()[0];
    const double next = stream.phi_next()[0];
    const LearnerStatus status = pair.update({now, now}, stream.cost(), {next, next});
    ASSERT_EQ(status, n < 10 ? LearnerStatus::warming_up : LearnerStatus::singular) << n;
  }
  EXPECT_GT(pair.newton.information().failed_inversions(), 10u);
  const auto feed = [&] {
    stream.advance();
    return pair.update({stream.phi().begin(), stream.phi().end()}, stream.cost(),
                       {stream.phi_next().begin(), stream.phi_next().end()});
  };
  for (int waited = 0; feed() != LearnerStatus::ok; ++waited) ASSERT_LT(waited, 6);
  EXPECT_EQ(pair.newton.theta()[0], 0.0);  // θ moves with the next sample
  for (int n = 0; n < 500; ++n) {
    ASSERT_EQ(feed(), LearnerStatus::ok);
    ASSERT_LT(pair.distance(), 1e-10) << n;
  }
}

TEST(Newton, SurvivesASampleThatMakesItsMatrixSingular) {
  // One feature. S = Σ ℓ' X Z is -8 · 0.1 for eight samples with X' = X; then one makes it 0 up to
  // rounding, which is far below the terms of the sum.
  Pair<Mean> pair(1, Mean(), as_published(4));
  for (int n = 0; n < 8; ++n) (void)pair.update({1.0}, 3.0, {1.0});
  ASSERT_EQ(pair.newton.status(), LearnerStatus::ok);
  EXPECT_LT(pair.distance(), 1e-12);
  EXPECT_EQ(pair.update({1.0}, 3.0, {2.0}), LearnerStatus::singular);  // Z = 0.8
  ASSERT_EQ(pair.update({1.0}, 3.0, {1.0}), LearnerStatus::ok);
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(pair.update({1.0}, 3.0, {1.0}), LearnerStatus::ok);
    ASSERT_LT(pair.distance(), 1e-10);
  }
}

TEST(Newton, IsAccurateIfOneSampleOutweighsAllEarlierOnes) {
  for (const double small : {1e-2, 1e-4, 1e-6, 1e-8}) {
    // The first feature is small for 20 samples and then becomes large; the others do not change.
    RandomTransitions stream(3);
    Pair<Expectile> pair(3, Expectile(0.7), as_published(10));
    double worst = 0.0;
    for (int n = 0; n < 400; ++n) {
      stream.advance();
      std::vector<double> phi(stream.phi().begin(), stream.phi().end());
      std::vector<double> next(stream.phi_next().begin(), stream.phi_next().end());
      if (n < 20) phi[0] *= small;
      if (n < 19) next[0] *= small;
      (void)pair.update(phi, stream.cost(), next);
      if (n > 10) worst = std::max(worst, pair.distance());
    }
    EXPECT_LT(worst, 1e-9) << small;
    EXPECT_EQ(pair.newton.status(), LearnerStatus::ok);
  }
}

TEST(Newton, DoesNotDependOnTheScaleOfFeatures) {
  RandomTransitions stream(3);
  Newton<Expectile> plain(3, Expectile(0.7), gamma, {.warmup = 10});
  Newton<Expectile> scaled(3, Expectile(0.7), gamma, {.warmup = 10});
  const auto scale = [](std::span<const double> phi) {
    return std::vector{phi[0] * 0x1p40, phi[1], phi[2] * 0x1p-40};
  };
  for (int n = 0; n < 1000; ++n) {
    stream.advance();
    (void)plain.update(stream.phi(), stream.cost(), stream.phi_next());
    (void)scaled.update(scale(stream.phi()), stream.cost(), scale(stream.phi_next()));
    ASSERT_EQ(plain.status(), scaled.status());
  }
  EXPECT_EQ(plain.status(), LearnerStatus::ok);
  const double value = plain.value(stream.phi());
  EXPECT_NEAR(scaled.value(scale(stream.phi())), value, 1e-9 * std::abs(value));
}

TEST(Newton, RejectsAWarmUpShorterThanItsFeatures) {
  EXPECT_THROW(Newton<Mean>(5, Mean(), gamma, {.warmup = 4}), InvalidInput);
  EXPECT_EQ(Newton<Mean>(5, Mean(), gamma, {.warmup = 5}).information().warmup(), 5u);
  EXPECT_EQ(Newton<Mean>(5, Mean(), gamma).information().warmup(), 500u);
  EXPECT_EQ(Newton<Mean>(100, Mean(), gamma).information().warmup(), 1000u);
}

}  // namespace
}  // namespace shortfall::learn
