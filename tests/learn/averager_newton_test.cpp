#include "shortfall/learn/averager_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/tile_coding.hpp"
#include "shortfall/learn/newton.hpp"
#include "tests/learn/averagers_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::learn::averagers {
namespace {

using testing::RandomCells;
using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

constexpr double discount = 0.9;

std::vector<double> weights_of(const auto& learner) {
  return {learner.theta().begin(), learner.theta().end()};
}

LongVector long_vector(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()))
      .cast<Long>();
}

/// The estimate from its definition: S = Σ g ω ℓ'(δ_i) φ_i e_i (γφ' - e_i)ᵀ and Σ g r e_i, all
/// kept.
class KeptCells {
 public:
  explicit KeptCells(double gamma = discount) : gamma_(gamma) {}
  void add(const RandomCells& stream, const AnyLoss& loss, std::span<const double> theta,
           double weight) {
    const auto d = static_cast<Eigen::Index>(theta.size());
    LongMatrix product = LongMatrix::Zero(d, d);
    LongVector target = LongVector::Zero(d);
    const LongVector next = Long(gamma_) * long_vector(stream.phi_next());
    for (Eigen::Index i = 0; i < d; ++i) {
      const auto cell = static_cast<std::size_t>(i);
      const Long change = next.dot(long_vector(theta)) - theta[cell];
      const LossPoint point = loss.at(static_cast<double>(stream.cost() + change));
      const Long share = Long(weight) * stream.phi()[cell];
      product.row(i) = share * point.left_slope * next.transpose();
      product(i, i) -= share * point.left_slope;
      target(i) = share * (point.value - point.left_slope * change);
    }
    products_.push_back(product);
    targets_.push_back(target);
  }

  LongMatrix sum(const std::function<double(std::size_t)>& share) const {
    LongMatrix sum = LongMatrix::Zero(products_[0].rows(), products_[0].cols());
    for (std::size_t n = 0; n < products_.size(); ++n) sum += share(n + 1) * products_[n];
    return sum;
  }
  LongVector theta(const std::function<double(std::size_t)>& share) const {
    LongVector target = LongVector::Zero(targets_[0].size());
    for (std::size_t n = 0; n < targets_.size(); ++n) target += share(n + 1) * targets_[n];
    return -sum(share).partialPivLu().solve(target);
  }

 private:
  double gamma_;
  std::vector<LongMatrix> products_;
  std::vector<LongVector> targets_;
};

double all_alike(std::size_t) {
  return 1.0;
}

TEST(AveragerNewton, OnHardAggregationIsNewtonBitForBit) {
  constexpr std::size_t d = 6;
  for (const std::optional<double> half_life : {std::optional<double>(), std::optional(300.0)}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      if (std::holds_alternative<Entropic>(loss.variant()) && loss.at(1.0).value > 10.0) continue;
      RandomCells stream(d, 1);
      const NewtonOptions options{.warmup = 60, .half_life = half_life};
      Newton<AnyLoss> newton(d, loss, discount, options);
      AveragerNewton<AnyLoss> averager(d, loss, discount, options);
      for (int n = 0; n < 2000; ++n) {
        stream.advance();
        const double weight = n % 3 == 0 ? 1.0 : stream.weight();
        const bool ends = n % 40 == 39;
        const LearnerStatus status =
            ends ? newton.update_terminal(stream.phi(), stream.cost())
                 : newton.update(stream.phi(), stream.cost(), stream.phi_next(), weight);
        ASSERT_EQ(ends ? averager.update_terminal(stream.sparse(), stream.cost())
                       : averager.update(stream.phi(), stream.cost(), stream.phi_next(), weight),
                  status);
        ASSERT_EQ(newton.last_loss(), averager.last_loss());
      }
      EXPECT_EQ(weights_of(newton), weights_of(averager)) << loss.to_string();
      const std::vector<double> one{0, 1, 0, 0, 0, 0};
      EXPECT_EQ(newton.interval(one).standard_error, averager.interval(one).standard_error);
    }
  }
}

TEST(AveragerNewton, IsTheDirectSolveOfItsCells) {
  constexpr std::size_t d = 7;
  constexpr std::size_t warmup = 100;
  for (const char* spec : {"mean", "expectile:0.8", "soft-quantile:0.7,2"}) {
    const AnyLoss loss = AnyLoss::parse(spec);
    RandomCells stream(d, 3);
    AveragerNewton<AnyLoss> newton(d, loss, discount, {.warmup = warmup, .refactor_every = 1});
    AveragerNewton<AnyLoss> recursive(d, Mean(), discount, {.warmup = warmup});
    KeptCells kept;
    // All samples of a linear loss count; of others, those of the warm-up fade until 2 n₀.
    for (std::size_t n = 1; n < 2 * warmup; ++n) {
      stream.advance();
      kept.add(stream, loss, newton.theta(), stream.weight());
      ASSERT_EQ(newton.update(stream.phi(), stream.cost(), stream.phi_next(), stream.weight()),
                n < warmup ? LearnerStatus::warming_up : LearnerStatus::ok);
      (void)recursive.update(stream.sparse(), stream.cost(), stream.sparse_next(), stream.weight());
      if (n <= warmup) continue;
      const double share = static_cast<double>(2 * warmup - n) / static_cast<double>(warmup);
      const bool is_linear = loss.slope_bounds().lower == loss.slope_bounds().upper;
      const LongVector expected =
          kept.theta([&](std::size_t i) { return is_linear || i > warmup ? 1.0 : share; });
      ASSERT_LT((long_vector(newton.theta()) - expected).norm(), 1e-10L * expected.norm()) << n;
      if (is_linear) {
        ASSERT_LT((long_vector(recursive.theta()) - expected).norm(), 1e-10L * expected.norm());
      }
    }
    EXPECT_EQ(newton.updates(), 2 * warmup - 1);
  }
}

TEST(AveragerNewton, HasARowDominantMatrix) {
  constexpr std::size_t d = 9;
  for (const double near : {0.5, 0.9, 0.999}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      RandomCells stream(d, 4, 3);
      KeptCells kept(near);
      const std::vector<double> theta(d, 5.0);
      for (int n = 0; n < 60; ++n) {
        stream.advance();
        kept.add(stream, loss, theta, stream.weight());
      }
      const LongMatrix m = -kept.sum(all_alike);
      for (Eigen::Index i = 0; i < m.rows(); ++i) {
        Long off = 0.0L;
        for (Eigen::Index j = 0; j < m.cols(); ++j) {
          if (j == i) continue;
          ASSERT_LE(m(i, j), 0.0L);
          off -= m(i, j);
        }
        ASSERT_GT(m(i, i), off);
      }
      ASSERT_GE(m.inverse().minCoeff(), -1e-15L * m.inverse().maxCoeff()) << near;
    }
  }
}

/// The tiles of each grid sum to the same constant, so that TD's equations are dependent.
TEST(AveragerNewton, NeedsNoIndependentFeatures) {
  const features::TileCoding tiles({.low = {0.0}, .high = {1.0}, .tiles = {3}, .tilings = 2});
  const std::size_t d = tiles.dimension();
  AveragerNewton averager(d, Expectile(0.8), 0.99, {.warmup = 50});
  Newton newton(d, Expectile(0.8), 0.99, {.warmup = 50});
  std::vector<double> phi(d), next(d);
  pcg64 bits(1);
  double x = draw_uniform(bits);
  for (int n = 0; n < 500; ++n) {
    const double y = draw_uniform(bits);
    tiles.write(std::span(&x, 1), phi);
    tiles.write(std::span(&y, 1), next);
    (void)averager.update(phi, x, next);
    (void)newton.update(phi, x, next);
    x = y;
  }
  EXPECT_EQ(averager.status(), LearnerStatus::ok);
  EXPECT_EQ(newton.status(), LearnerStatus::singular);
}

TEST(AveragerNewton, LeavesTheWeightOfACellThatHasNotOccurred) {
  // Cells 0 and 1 lead to each other, and 0 sometimes to 2, which is seen from update 1000 on.
  for (const auto variant : {NewtonVariant::renewed, NewtonVariant::as_published}) {
    for (const AnyLoss& loss : {AnyLoss(Mean()), AnyLoss(Expectile(0.7))}) {
      AveragerNewton<AnyLoss> three(3, loss, discount, {.warmup = 10, .variant = variant});
      AveragerNewton<AnyLoss> kept(3, loss, discount, {.warmup = 10, .variant = variant});
      const std::vector<double> start{0.0, 0.0, 7.0};
      three.start_from(start);
      kept.start_from(start);
      pcg64 bits(5);
      const auto draw = [&] {
        const double a = draw_uniform(bits);
        return std::vector<double>{a, 1.0 - a, 0.0};
      };
      for (int n = 0; n < 1000; ++n) {
        const std::vector<double> phi = draw();
        const std::vector<double> next = n % 5 == 0 ? std::vector<double>{0.0, 0.0, 1.0} : draw();
        const double cost = draw_normal(bits);
        const LearnerStatus status = three.update(phi, cost, next);
        ASSERT_EQ(status, n < 9 ? LearnerStatus::warming_up : LearnerStatus::ok);
        ASSERT_NEAR(three.theta()[2], 7.0, 1e-12);
        // With a value that is known there, the cost of the step has it.
        (void)(n % 5 == 0 ? kept.update_terminal(phi, cost + discount * 7.0)
                          : kept.update(phi, cost, next));
      }
      EXPECT_NEAR(three.theta()[0], kept.theta()[0], 1e-9);
      EXPECT_NEAR(three.theta()[1], kept.theta()[1], 1e-9);
      if (variant == NewtonVariant::as_published) continue;
      EXPECT_EQ(three.interval(std::vector<double>{0.5, 0.5, 0.0}).status, IntervalStatus::ok);
      EXPECT_EQ(three.interval(start).status, IntervalStatus::not_yet);
    }
  }
}

TEST(AveragerNewton, LearnsACellThatOccursLate) {
  AveragerNewton<Mean> newton(2, Mean(), discount, {.warmup = 10, .refactor_every = 64});
  newton.start_from(std::vector<double>{0.0, 100.0});
  const std::vector<double> first{1.0, 0.0}, second{0.0, 1.0};
  for (int n = 0; n < 200; ++n) (void)newton.update_terminal(first, 2.0);
  EXPECT_EQ(newton.theta()[1], 100.0);
  for (int n = 0; n < 64; ++n) (void)newton.update_terminal(second, 3.0);
  EXPECT_NEAR(newton.theta()[0], 2.0, 1e-12);
  EXPECT_NEAR(newton.theta()[1], 3.0, 1e-12);  // of its 100 nothing is left
}

TEST(AveragerNewton, CountsTransitionsAndTakesAShortWarmup) {
  EXPECT_THROW(AveragerNewton(5, Mean(), discount, {.warmup = 0}), InvalidField);
  RandomCells stream(5, 3);
  AveragerNewton<Expectile> newton(5, Expectile(0.9), discount, {.warmup = 1});
  const std::vector<double> before = weights_of(newton);
  EXPECT_EQ(newton.update(std::vector<double>(5, 0.0), 1.0, stream.phi_next()), LearnerStatus::ok);
  EXPECT_EQ(weights_of(newton), before);  // no cell at all
  for (int n = 0; n < 100; ++n) {
    stream.advance();
    ASSERT_EQ(newton.update(stream.phi(), stream.cost(), stream.phi_next(), n == 50 ? 0.0 : 1.0),
              LearnerStatus::ok);
  }
  EXPECT_EQ(newton.updates(), 101u);
  EXPECT_EQ(newton.effective_samples(), 100.0);
}

TEST(AveragerNewton, RefusesOtherFeaturesAndStaysUnchanged) {
  RandomCells stream(3, 2);
  AveragerNewton<Expectile> newton(3, Expectile(0.9), discount, {.warmup = 5});
  AveragerNewton<Expectile> other = newton;
  for (int n = 0; n < 50; ++n) {
    stream.advance();
    (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
    (void)other.update(stream.phi(), stream.cost(), stream.phi_next());
    EXPECT_THROW((void)other.update(std::vector<double>{0.5, -0.1, 0.5}, 1.0, stream.phi()),
                 InvalidInput);
    EXPECT_THROW((void)other.update(stream.phi(), 1.0, std::vector<double>{0.5, 0.1, 0.5}),
                 InvalidInput);
  }
  EXPECT_EQ(weights_of(newton), weights_of(other));
  EXPECT_EQ(newton.updates(), other.updates());
}

TEST(AveragerNewton, ResumesFromItsStateToTheSameBits) {
  constexpr std::size_t d = 5;
  for (const int stop : {3, 60, 500}) {
    RandomCells stream(d, 3);
    AveragerNewton<Expectile> newton(d, Expectile(0.8), discount, {.warmup = 50});
    for (int n = 0; n < stop; ++n) {
      stream.advance();
      (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
    }
    io::StateWriter writer;
    newton.archive(writer);
    AveragerNewton<Expectile> resumed(d, Expectile(0.8), discount, {.warmup = 50});
    io::StateReader reader("the file", writer.bytes());
    resumed.archive(reader);
    reader.finish();
    for (int n = 0; n < 300; ++n) {
      stream.advance();
      (void)newton.update(stream.phi(), stream.cost(), stream.phi_next());
      (void)resumed.update(stream.phi(), stream.cost(), stream.phi_next());
    }
    EXPECT_EQ(weights_of(newton), weights_of(resumed));
    EXPECT_EQ(newton.status(), resumed.status());
  }
}

}  // namespace
}  // namespace shortfall::learn::averagers
