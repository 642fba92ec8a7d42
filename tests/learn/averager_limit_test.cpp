// Averagers go to the root of h(θ)_i = E[φ_i(X) ℓ(c + γ φ(X')ᵀθ - θ_i)], solved here directly.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/averager_newton.hpp"
#include "shortfall/learn/averager_td.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::learn::averagers {
namespace {

/// Independent transitions: a state x with probability q, then x' by P and a cost c(x, x'). Rows of
/// Φ are nonnegative and sum to 1, the last to 0.7.
struct IndependentTransitions {
  static constexpr Eigen::Index states = 5;
  static constexpr Eigen::Index cells = 3;

  explicit IndependentTransitions(double discount, AnyLoss measure)
      : gamma(discount), loss(std::move(measure)) {
    pcg64 bits(11);
    const auto draw = [&] { return 0.05 + draw_uniform(bits); };
    phi = Eigen::MatrixXd::NullaryExpr(states, cells, draw);
    p = Eigen::MatrixXd::NullaryExpr(states, states, draw);
    q = Eigen::VectorXd::NullaryExpr(states, draw);
    cost = 20.0 * Eigen::MatrixXd::NullaryExpr(states, states, draw);
    for (Eigen::Index x = 0; x < states; ++x) {
      phi.row(x) *= (x + 1 == states ? 0.7 : 1.0) / phi.row(x).sum();
      p.row(x) /= p.row(x).sum();
    }
    q /= q.sum();
  }

  /// use(x, x', probability) for all pairs.
  template <class Use>
  void for_each(const Use& use) const {
    for (Eigen::Index x = 0; x < states; ++x) {
      for (Eigen::Index y = 0; y < states; ++y) use(x, y, q[x] * p(x, y));
    }
  }

  double error(Eigen::Index x, Eigen::Index y, Eigen::Index i, const Eigen::VectorXd& theta) const {
    return cost(x, y) + gamma * phi.row(y).dot(theta) - theta[i];
  }

  /// Fixed-point iteration: each θ_i is replaced by the root of h_i with the targets at hand, by
  /// bisection. It contracts by γ.
  Eigen::VectorXd root() const {
    Eigen::VectorXd theta = Eigen::VectorXd::Zero(cells);
    for (int sweep = 0; sweep < 400 / (1.0 - gamma); ++sweep) {
      Eigen::VectorXd next = theta;
      for (Eigen::Index i = 0; i < cells; ++i) {
        double low = -1e5, high = 1e5;
        for (int step = 0; step < 70; ++step) {
          const double middle = 0.5 * (low + high);
          double sum = 0.0;
          for_each([&](Eigen::Index x, Eigen::Index y, double probability) {
            const double target = error(x, y, i, theta) + theta[i];
            sum += probability * phi(x, i) * loss.at(target - middle).value;
          });
          (sum > 0.0 ? low : high) = middle;
        }
        next[i] = 0.5 * (low + high);
      }
      if ((next - theta).lpNorm<Eigen::Infinity>() < 1e-13) return next;
      theta = next;
    }
    return theta;
  }

  /// H⁻¹ Γ H⁻ᵀ: H the derivative of h, Γ the covariance of the scores φ_i ℓ_i, at the root.
  Eigen::MatrixXd covariance(const Eigen::VectorXd& theta) const {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(cells, cells);
    Eigen::MatrixXd noise = h;
    for_each([&](Eigen::Index x, Eigen::Index y, double probability) {
      Eigen::VectorXd score(cells);
      for (Eigen::Index i = 0; i < cells; ++i) {
        const LossPoint point = loss.at(error(x, y, i, theta));
        score[i] = phi(x, i) * point.value;
        h.row(i) += probability * phi(x, i) * point.left_slope * gamma * phi.row(y);
        h(i, i) -= probability * phi(x, i) * point.left_slope;
      }
      noise += probability * score * score.transpose();
    });
    const Eigen::MatrixXd inverse = h.inverse();
    return inverse * noise * inverse.transpose();
  }

  template <class A>
  void teach(A& learner, std::uint64_t updates, pcg64& bits) const {
    const Eigen::MatrixXd rows = phi.transpose();  // by columns: one φ(x) after the other
    const auto draw = [&](const auto& law) {
      double left = draw_uniform(bits);
      Eigen::Index x = 0;
      while (x + 1 < states && left >= law(x)) left -= law(x++);
      return x;
    };
    for (std::uint64_t n = 0; n < updates; ++n) {
      const Eigen::Index x = draw([&](Eigen::Index k) { return q[k]; });
      const Eigen::Index y = draw([&](Eigen::Index k) { return p(x, k); });
      (void)learner.update(std::span(rows.col(x).data(), cells), cost(x, y),
                           std::span(rows.col(y).data(), cells));
    }
  }

  double gamma;
  AnyLoss loss;
  Eigen::MatrixXd phi, p, cost;
  Eigen::VectorXd q;
};

std::vector<double> std_vector(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

std::vector<AnyLoss> steep_and_flat() {
  return {Mean(), Expectile(0.99), Expectile(0.05), AnyLoss::parse("soft-quantile:0.8,2")};
}

TEST(AveragerLimit, IsWhereTheMeanUpdateIsZero) {
  for (const AnyLoss& loss : steep_and_flat()) {
    const IndependentTransitions world(0.95, loss);
    const Eigen::VectorXd theta = world.root();
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(theta.size());
    Eigen::VectorXd size = mean;
    world.for_each([&](Eigen::Index x, Eigen::Index y, double probability) {
      AveragerTd<AnyLoss, ConstantStep> td(3, loss, world.gamma, ConstantStep(1.0));
      td.start_from(std_vector(theta));
      const Eigen::VectorXd now = world.phi.row(x), next = world.phi.row(y);
      ASSERT_EQ(td.update(std_vector(now), world.cost(x, y), std_vector(next)), LearnerStatus::ok);
      for (Eigen::Index i = 0; i < theta.size(); ++i) {
        const double change = td.theta()[static_cast<std::size_t>(i)] - theta[i];
        mean[i] += probability * change;
        size[i] += probability * std::abs(change);
      }
    });
    // θ is about 300, and each change carries its rounding, 3e-14; the root is to 1e-11.
    EXPECT_LT(mean.lpNorm<Eigen::Infinity>(), 1e-10) << loss.to_string();
    EXPECT_GT(size.minCoeff(), 1e-2) << loss.to_string();
  }
}

/// Five deviations of the limit law, and what the start leaves.
TEST(AveragerLimit, IsReachedByAveragesAndByNewtonAtTheRateOfTheTheory) {
  constexpr std::uint64_t updates = 400'000;
  for (const AnyLoss& loss : steep_and_flat()) {
    const IndependentTransitions world(0.8, loss);
    const Eigen::VectorXd theta = world.root();
    const Eigen::MatrixXd covariance = world.covariance(theta);
    // θ* is about 50. In the first half of the updates, the start's error falls by a factor of
    // e^-(Σ η φ ε₁ (1-γ)), for the flattest of these losses e^-20.
    const double scale = 1.0 / loss.slope_bounds().upper;
    Averaged td(
        AveragerTd<AnyLoss>(3, loss, world.gamma, PolynomialStep(60.0 * scale, 1000.0, 0.6)),
        updates / 2);
    AveragerNewton<AnyLoss> newton(3, loss, world.gamma, {.warmup = 300});
    pcg64 bits(1), newton_bits(2);
    world.teach(td, updates, bits);
    world.teach(newton, updates / 4, newton_bits);
    for (Eigen::Index i = 0; i < theta.size(); ++i) {
      const auto cell = static_cast<std::size_t>(i);
      const double deviation = std::sqrt(covariance(i, i));
      // The iterates of the second half, whose own correlation adds at most another half.
      EXPECT_NEAR(td.theta()[cell], theta[i],
                  7.5 * deviation / std::sqrt(static_cast<double>(updates) / 2.0))
          << loss.to_string();
      // The variance is at most 10/9 of the least.
      EXPECT_NEAR(newton.theta()[cell], theta[i],
                  5.5 * deviation / std::sqrt(static_cast<double>(updates) / 4.0))
          << loss.to_string();
    }
  }
}

TEST(AveragerLimit, IsInNewtonsIntervalsAsOftenAsTheySay) {
  constexpr int runs = 300;
  const IndependentTransitions world(0.8, Expectile(0.8));
  const Eigen::VectorXd theta = world.root();
  const std::vector<std::vector<double>> points{{1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0.5}};
  int held = 0;
  for (int run = 0; run < runs; ++run) {
    AveragerNewton newton(3, Expectile(0.8), world.gamma);
    pcg64 bits(100 + static_cast<std::uint64_t>(run));
    world.teach(newton, 10'000, bits);
    for (const auto& phi : points) {
      const Interval interval = newton.interval(phi);
      ASSERT_NE(interval.status, IntervalStatus::not_yet);
      const double value = Eigen::Map<const Eigen::VectorXd>(phi.data(), 3).dot(theta);
      if (interval.low <= value && value <= interval.high) ++held;
    }
  }
  // Four deviations, as if the points of one run were one.
  EXPECT_NEAR(static_cast<double>(held) / (3.0 * runs), 0.95,
              4.0 * std::sqrt(0.95 * 0.05 / static_cast<double>(runs)));
}

}  // namespace
}  // namespace shortfall::learn::averagers
