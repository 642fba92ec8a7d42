// The samples on which Newton's estimate rests: shares, renewals, weights, forgetting.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "shortfall/learn/newton.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "tests/learn/transitions_for_tests.hpp"

namespace shortfall::learn::renewal {
namespace {

using testing::RandomTransitions;
using Long = long double;
using Matrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

constexpr double gamma = 0.9;

Vector vector_of(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()))
      .cast<Long>();
}

/// The estimate from its definition: all samples are kept, each with its linearisation and weight,
/// and solved with any shares.
class KeptSamples {
 public:
  void add(const RandomTransitions& stream, const AnyLoss& loss, std::span<const double> theta,
           double weight) {
    const Vector x = vector_of(stream.phi());
    const Vector z = Long(gamma) * vector_of(stream.phi_next()) - x;
    const Long change = z.dot(vector_of(theta));
    const LossPoint point = loss.at(static_cast<double>(change + stream.cost()));
    products_.emplace_back(x * z.transpose() * Long(weight * point.left_slope));
    targets_.emplace_back(x * (Long(weight) * (point.value - point.left_slope * change)));
  }

  /// `share(i)` is that of sample i, from 1.
  Vector theta(const std::function<double(std::size_t)>& share) const {
    Matrix sum = Matrix::Zero(products_[0].rows(), products_[0].cols());
    Vector target = Vector::Zero(sum.rows());
    for (std::size_t i = 0; i < products_.size(); ++i) {
      sum += share(i + 1) * products_[i];
      target += share(i + 1) * targets_[i];
    }
    return -sum.partialPivLu().solve(target);
  }

 private:
  std::vector<Matrix> products_;
  std::vector<Vector> targets_;
};

/// Shares as newton.hpp states them, for n₀ samples of warm-up and an inversion at every update.
class StatedShares {
 public:
  explicit StatedShares(std::size_t warmup) : first_(warmup), recent_(warmup) {}

  void go_to(std::size_t n) {
    n_ = n;
    if (n <= first_ || share() > 0.0) return;
    fading_ = recent_;
    recent_ = n;
  }
  double operator()(std::size_t i) const {
    return i <= fading_ ? 0.0 : i <= recent_ ? share() : 1.0;
  }
  double missing() const {
    double sum = 0.0;
    for (std::size_t i = 1; i <= n_; ++i) sum += 1.0 - (*this)(i);
    return sum;
  }

 private:
  double share() const {
    const double r = recent_ < 8 * first_ ? 2.0 : 10.0;
    const auto t = static_cast<double>(recent_);
    return n_ == recent_ ? 1.0 : std::max(0.0, (r * t - static_cast<double>(n_)) / ((r - 1.0) * t));
  }

  std::size_t first_;
  std::size_t fading_ = 0;  // samples up to here have no share,
  std::size_t recent_;      // those up to here one that falls, later ones 1
  std::size_t n_ = 0;
};

TEST(NewtonRenewal, IsTheDirectSolveWithTheStatedShares) {
  constexpr std::size_t d = 4;
  constexpr std::size_t warmup = 20;
  const AnyLoss loss = AnyLoss::parse("expectile:0.8");
  RandomTransitions stream(d);
  pcg64 bits(3);
  Newton<AnyLoss> newton(d, loss, gamma, {.warmup = warmup, .refactor_every = 1});
  KeptSamples kept;
  StatedShares shares(warmup);
  for (std::size_t n = 1; n <= 1700; ++n) {
    stream.advance();
    const double weight = n % 3 == 0 ? 1.0 : 2.0 * draw_uniform(bits);
    kept.add(stream, loss, newton.theta(), weight);
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next(), weight);
    shares.go_to(n);
    const auto samples = static_cast<double>(n);
    ASSERT_LE(shares.missing(), samples * (n < 25 * warmup ? 0.5 : 0.2) + 1.0) << n;
    if (n <= warmup || (n > 200 && n % 37 != 0)) continue;
    const Vector expected = kept.theta(shares);
    ASSERT_LT((vector_of(newton.theta()) - expected).norm(), 1e-9L * expected.norm()) << n;
  }
}

TEST(NewtonRenewal, KeepsAllSamplesOfALinearLoss) {
  constexpr std::size_t d = 3;
  const AnyLoss mean = Mean();
  RandomTransitions stream(d);
  Newton<AnyLoss> newton(d, mean, gamma, {.warmup = 20});
  KeptSamples kept;
  for (std::size_t n = 1; n <= 1000; ++n) {
    stream.advance();
    kept.add(stream, mean, newton.theta(), 1.0);
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
  }
  const Vector expected = kept.theta([](std::size_t) { return 1.0; });
  EXPECT_LT((vector_of(newton.theta()) - expected).norm(), 1e-12L * expected.norm());
  EXPECT_EQ(newton.interval(stream.phi()).status, IntervalStatus::ok);
}

/// θ moves by samples, and at inversions, where shares change; it moves little there.
TEST(NewtonRenewal, DoesNotMakeTheEstimateJump) {
  constexpr std::size_t d = 3;
  RandomTransitions stream(d);
  Newton<AnyLoss> newton(d, AnyLoss::parse("expectile:0.9"), gamma);
  double largest = 0.0;
  for (int n = 1; n <= 200000; ++n) {
    stream.advance();
    const std::uint64_t inversions = newton.information().inversions();
    const double value = newton.value(stream.phi());
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
    if (n <= 12500 || newton.information().inversions() == inversions) continue;
    const Interval interval = newton.interval(stream.phi());
    ASSERT_NE(interval.status, IntervalStatus::not_yet);
    largest = std::max(largest, std::abs(interval.value - value) / interval.standard_error);
  }
  EXPECT_LT(largest, 0.1);
  EXPECT_GT(largest, 0.0);
}

TEST(NewtonRenewal, LeavesNothingOfAStartThatIsFarOff) {
  const AnyLoss loss = AnyLoss::parse("expectile:0.9");
  const std::vector<double> one{1.0};
  const auto learned_from = [&](double start, NewtonVariant variant) {
    Newton<AnyLoss> newton(1, loss, 0.5, {.variant = variant});
    newton.start_from(std::vector{start});
    pcg64 bits(5);
    for (int n = 0; n < 50000; ++n) (void)newton.update(one, draw_normal(bits), one);
    return newton;
  };
  const Newton<AnyLoss> near = learned_from(1.7, NewtonVariant::renewed);
  const Newton<AnyLoss> far = learned_from(-1e6, NewtonVariant::renewed);
  EXPECT_NEAR(far.theta()[0], near.theta()[0], 0.2 * near.interval(one).standard_error);
  EXPECT_GT(std::abs(learned_from(-1e6, NewtonVariant::as_published).theta()[0] - near.theta()[0]),
            5.0 * near.interval(one).standard_error);
}

TEST(NewtonRenewal, KeepsTheSamplesOfAFeatureThatDoesNotOccurAgain) {
  RandomTransitions stream(2);
  Newton<AnyLoss> newton(2, AnyLoss::parse("expectile:0.7"), gamma, {.warmup = 50});
  double rare = 0.0;
  for (int n = 1; n <= 20000; ++n) {
    stream.advance();
    const double seen = n <= 100 ? stream.phi()[1] : 0.0;
    const std::vector<double> phi{stream.phi()[0], seen};
    const std::vector<double> next{stream.phi_next()[0], 0.0};
    const LearnerStatus status = newton.update(phi, stream.cost(), next);
    ASSERT_EQ(status, n < 50 ? LearnerStatus::warming_up : LearnerStatus::ok) << n;
    if (n == 100) rare = newton.theta()[1];
  }
  EXPECT_NEAR(newton.theta()[1], rare, 0.5 * std::abs(rare));
  EXPECT_EQ(newton.information().failed_inversions(), 0u);
  // What is still seen has an interval; what is not has none.
  EXPECT_NE(newton.interval(std::vector{1.0, 0.0}).status, IntervalStatus::not_yet);
  EXPECT_EQ(newton.interval(std::vector{0.0, 1.0}).status, IntervalStatus::not_yet);
}

TEST(NewtonForgetting, GoesOnLearningWithoutAFeatureThatIsNoLongerSeen) {
  const std::vector<double> both[2] = {{1.0, 0.0}, {0.0, 1.0}};
  pcg64 bits(9);
  Newton<AnyLoss> newton(2, AnyLoss::parse("expectile:0.7"), 0.0,
                         {.warmup = 20, .half_life = 10.0});
  for (int n = 0; n < 40000; ++n) {  // four thousand half-lives
    const std::vector<double>& phi = both[n < 200 ? n % 2 : 0];
    const double cost = (n < 39000 ? 1.0 : 6.0) + 0.1 * draw_normal(bits);
    (void)newton.update(phi, cost, phi);
    ASSERT_TRUE(n <= 100 || newton.status() == LearnerStatus::ok) << n;
  }
  EXPECT_NEAR(newton.theta()[0], 6.1, 0.2);
  EXPECT_NEAR(newton.theta()[1], 1.1, 0.2);
  EXPECT_EQ(newton.interval(both[0]).status, IntervalStatus::ok);
  EXPECT_EQ(newton.interval(both[1]).status, IntervalStatus::not_yet);
}

TEST(NewtonForgetting, IsTheDirectSolveWithHalvingShares) {
  constexpr std::size_t d = 3;
  constexpr std::size_t warmup = 20;
  constexpr double half_life = 80.0;  // batches of 10
  const AnyLoss loss = AnyLoss::parse("soft-quantile:0.8,1");
  RandomTransitions stream(d);
  Newton<AnyLoss> newton(d, loss, gamma, {.warmup = warmup, .half_life = half_life});
  KeptSamples kept;
  for (std::size_t n = 1; n <= 2000; ++n) {
    stream.advance();
    kept.add(stream, loss, newton.theta(), 1.0);
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
    if (n <= warmup || n % 23 != 0) continue;
    const std::size_t batches = (n - warmup) / 10;
    const Vector expected = kept.theta([&](std::size_t i) {
      const std::size_t done = i <= warmup ? 0 : (i - warmup - 1) / 10;
      return std::exp2(-static_cast<double>((batches - std::min(done, batches)) * 10) / half_life);
    });
    ASSERT_LT((vector_of(newton.theta()) - expected).norm(), 1e-9L * expected.norm()) << n;
  }
}

TEST(NewtonForgetting, FollowsAChange) {
  const std::vector<double> one{1.0};
  pcg64 bits(7);
  Newton<AnyLoss> forgetting(1, AnyLoss::parse("expectile:0.9"), 0.5, {.half_life = 2000.0});
  Newton<AnyLoss> remembering(1, AnyLoss::parse("expectile:0.9"), 0.5);
  for (int n = 0; n < 100000; ++n) {
    const double cost = (n < 50000 ? 1.0 : 3.0) + 0.5 * draw_normal(bits);
    (void)forgetting.update(one, cost, one);
    (void)remembering.update(one, cost, one);
  }
  // The value of a single state with cost m + noise is (m + expectile of the noise) / (1 - γ).
  const double apart = 2.0 * (3.0 - 1.0);
  const Interval interval = forgetting.interval(one);
  ASSERT_EQ(interval.status, IntervalStatus::ok);
  EXPECT_LT(interval.high - interval.low, 0.1 * apart);
  EXPECT_LT(remembering.theta()[0], interval.value - 0.1 * apart);
}

}  // namespace
}  // namespace shortfall::learn::renewal
