#include "tests/learn/asymptotics_for_tests.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "shortfall/mdp/stationary.hpp"
#include "shortfall/theory/operator_h.hpp"

namespace shortfall::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index index(std::size_t x) {
  return static_cast<Index>(x);
}

/// The chain without its terminal states, which must come last; transitions into them
/// lead to state 0.
Chain restarting(const Chain& chain) {
  Outcomes outcomes;
  for (std::size_t x = 0; x < chain.states() && !chain.is_terminal(x); ++x) {
    const Outcomes::Row law = chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      outcomes.probability.push_back(law.probability[i]);
      outcomes.cost.push_back(law.cost[i]);
      outcomes.next.push_back(chain.is_terminal(law.next[i]) ? 0 : law.next[i]);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

/// Solves M X + X Mᵀ + C = 0 by Kronecker products: vec(MX + XMᵀ) = (I⊗M + M⊗I) vec X.
MatrixXd lyapunov(const MatrixXd& m, const MatrixXd& c) {
  const Index d = m.rows();
  MatrixXd sum = MatrixXd::Zero(d * d, d * d);
  for (Index i = 0; i < d; ++i) {
    sum.block(i * d, i * d, d, d) += m;
    for (Index j = 0; j < d; ++j) sum.block(i * d, j * d, d, d).diagonal().array() += m(i, j);
  }
  const VectorXd right = -Eigen::Map<const VectorXd>(c.data(), d * d);
  const VectorXd solution = sum.partialPivLu().solve(right);
  return Eigen::Map<const MatrixXd>(solution.data(), d, d);
}

/// E f(w) for w normal with this deviation: the trapezoidal rule, to 1e-8 for the
/// functions used here.
double normal_mean(double deviation, const std::function<double(double)>& f) {
  constexpr double width = 0.1;
  double sum = 0.0;
  for (int i = -60; i <= 60; ++i) {
    const double z = width * i;
    sum += f(deviation * z) * std::exp(-0.5 * z * z);
  }
  return sum * width / std::sqrt(2.0 * std::numbers::pi);
}

/// A move from x, with its temporal-difference error at θ.
struct Outcome {
  Index x;
  double probability;
  Index next;
  double delta;
};

template <class F>
void for_each_outcome(const EvaluationProblem& e, const VectorXd& theta, F&& f) {
  const VectorXd value = e.phi * theta;
  for (std::size_t x = 0; x < e.chain.states(); ++x) {
    const Outcomes::Row law = e.chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double delta = law.cost[i] + e.gamma * value[law.next[i]] - value[index(x)];
      f(Outcome{index(x), law.probability[i], law.next[i], delta});
    }
  }
}

VectorXd larger(const VectorXd& a, const VectorXd& b) {
  return a.cwiseMax(b);
}

VectorXd root_of_diagonal(const MatrixXd& m) {
  return m.diagonal().cwiseSqrt();
}

}  // namespace

EvaluationProblem::EvaluationProblem(Chain model, AnyLoss measure, double discount,
                                     MatrixXd features)
    : chain(std::move(model)), loss(std::move(measure)), gamma(discount), phi(std::move(features)) {
  q = stationary_law(restarting(chain)).probability;
  q.resize(chain.states(), 0.0);
  const Index n = index(chain.states());
  continuing = with_restarts = MatrixXd::Zero(n, n);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const Outcomes::Row law = chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const bool ends = chain.is_terminal(law.next[i]);
      with_restarts(index(x), ends ? 0 : law.next[i]) += law.probability[i];
      if (!ends) continuing(index(x), law.next[i]) += law.probability[i];
    }
  }
}

Asymptotics::Asymptotics(const EvaluationProblem& evaluation, double lambda, VectorXd limit,
                         Side side)
    : evaluation_(&evaluation), limit_(std::move(limit)) {
  // More than rounding can move a δ at a kink, and less than the distance of other δ from one.
  offset_ = (side == Side::left ? -1e-9 : 1e-9) * (1.0 + limit_.cwiseAbs().maxCoeff());
  const EvaluationProblem& e = *evaluation_;
  const Index n = e.phi.rows();
  const Eigen::Map<const VectorXd> q(e.q.data(), n);
  const MatrixXd system = MatrixXd::Identity(n, n) - e.gamma * lambda * e.continuing.transpose();
  weights_ = system.partialPivLu().solve(q.asDiagonal() * e.phi);
  jacobian_ = jacobian(limit_);
  if (lambda == 0.0) {
    set_noise_without_trace();
  } else {
    set_noise_of_trace(lambda);
  }
}

VectorXd Asymptotics::drift(const VectorXd& theta) const {
  const EvaluationProblem& e = *evaluation_;
  return weights_.transpose() * theory::expected_residual(e.chain, e.loss, e.gamma, e.phi * theta);
}

MatrixXd Asymptotics::jacobian(const VectorXd& theta) const {
  const EvaluationProblem& e = *evaluation_;
  MatrixXd slopes = MatrixXd::Zero(e.phi.rows(), e.phi.cols());  // rows E[ℓ' Z | x]
  for_each_outcome(e, theta, [&](const Outcome& o) {
    slopes.row(o.x) += o.probability * e.loss.at(o.delta + offset_).left_slope *
                       (e.gamma * e.phi.row(o.next) - e.phi.row(o.x));
  });
  return weights_.transpose() * slopes;
}

void Asymptotics::set_noise_without_trace() {
  const EvaluationProblem& e = *evaluation_;
  const Index n = e.phi.rows();
  const VectorXd value = e.phi * limit_;
  const VectorXd residual = theory::expected_residual(e.chain, e.loss, e.gamma, value);
  const Eigen::Map<const VectorXd> q(e.q.data(), n);
  const MatrixXd system =
      MatrixXd::Identity(n, n) - e.with_restarts + VectorXd::Ones(n) * q.transpose();
  const MatrixXd potential = system.partialPivLu().solve(residual.asDiagonal() * e.phi);
  MatrixXd own = MatrixXd::Zero(e.phi.cols(), e.phi.cols());
  MatrixXd later = own;
  for_each_outcome(e, limit_, [&](const Outcome& o) {
    const VectorXd g = e.phi.row(o.x).transpose() * e.loss.at(o.delta).value;
    const Index next = e.chain.is_terminal(static_cast<std::size_t>(o.next)) ? 0 : o.next;
    own += q[o.x] * o.probability * g * g.transpose();
    later += q[o.x] * o.probability * g * potential.row(next);
  });
  noise_ = own + later + later.transpose();
}

void Asymptotics::set_noise_of_trace(double lambda) {
  const EvaluationProblem& e = *evaluation_;
  const Index d = e.phi.cols();
  const double decay = e.gamma * lambda;
  const VectorXd value = e.phi * limit_;
  const MatrixXd inflow = e.continuing.transpose() * weights_;  // rows B(x)
  std::vector<MatrixXd> fresh;
  for (Index x = 0; x < e.phi.rows(); ++x) {
    const MatrixXd cross = decay * inflow.row(x).transpose() * e.phi.row(x);
    fresh.emplace_back(e.q[static_cast<std::size_t>(x)] * e.phi.row(x).transpose() * e.phi.row(x) +
                       cross + cross.transpose());
  }
  std::vector<MatrixXd> squares = fresh;  // W(x)
  const int rounds = static_cast<int>(std::log(1e-14) / (2.0 * std::log(decay))) + 1;
  for (int round = 0; round < rounds; ++round) {
    std::vector<MatrixXd> next = fresh;
    for (Index x = 0; x < e.phi.rows(); ++x) {
      for (Index y = 0; y < e.phi.rows(); ++y) {
        next[static_cast<std::size_t>(x)] +=
            decay * decay * e.continuing(y, x) * squares[static_cast<std::size_t>(y)];
      }
    }
    squares = std::move(next);
  }
  noise_ = MatrixXd::Zero(d, d);
  const double scale = value.cwiseAbs().maxCoeff();
  const VectorXd residual = theory::expected_residual(e.chain, e.loss, e.gamma, value);
  if (residual.cwiseAbs().maxCoeff() > 1e-6 * scale) {
    throw std::logic_error("Asymptotics: lambda > 0 and features that do not hold the value");
  }
  for_each_outcome(e, limit_, [&](const Outcome& o) {
    const double loss = e.loss.at(o.delta).value;
    noise_ += o.probability * loss * loss * squares[static_cast<std::size_t>(o.x)];
  });
}

MatrixXd Asymptotics::stationary(double kappa) const {
  return lyapunov(jacobian_ + 0.5 * kappa * MatrixXd::Identity(noise_.rows(), noise_.rows()),
                  noise_);
}

MatrixXd Asymptotics::averaged() const {
  const auto a = jacobian_.partialPivLu();
  return a.solve(a.solve(noise_).transpose());
}

double Asymptotics::lipschitz() const {
  const EvaluationProblem& e = *evaluation_;
  // |M|₂² ≤ |M|₁ |M|_∞.
  const auto norm = [](const MatrixXd& m) {
    return std::sqrt(m.cwiseAbs().rowwise().sum().maxCoeff() *
                     m.cwiseAbs().colwise().sum().maxCoeff());
  };
  return e.loss.slope_bounds().upper * (1.0 + e.gamma) * norm(weights_) * norm(e.phi);
}

VectorXd Asymptotics::curvature(const MatrixXd& covariance, Slope slope) const {
  const EvaluationProblem& e = *evaluation_;
  const MatrixXd influence = jacobian_.partialPivLu().solve(weights_.transpose()).cwiseAbs();
  VectorXd sum = VectorXd::Zero(limit_.size());
  for_each_outcome(e, limit_, [&](const Outcome& o) {
    const VectorXd z = (e.gamma * e.phi.row(o.next) - e.phi.row(o.x)).transpose();
    const LossPoint here{e.loss.at(o.delta).value, e.loss.at(o.delta + offset_).left_slope};
    const double error = normal_mean(std::sqrt(z.dot(covariance * z)), [&](double w) {
      const LossPoint there = e.loss.at(o.delta + w);
      const double change = there.value - here.value;
      if (slope == Slope::at_limit) return std::abs(change - here.left_slope * w);
      return std::abs(change - there.left_slope * w) +
             2.0 * std::abs((there.left_slope - here.left_slope) * w);
    });
    sum += o.probability * error * influence.col(o.x);
  });
  return sum;
}

namespace {

/// The learner without noise. While steps are small, many are taken at once.
struct NoiseFree {
  VectorXd last;
  VectorXd mean;  ///< over n > average_from
};

NoiseFree without_noise(const Asymptotics& theory, const LearnerRun& run) {
  learn::PolynomialStep step = run.step;
  const double longest = 0.2 / theory.lipschitz();
  VectorXd theta = VectorXd::Zero(theory.limit().size());
  VectorXd sum = theta;
  for (std::uint64_t n = 0; n < run.updates;) {
    const double eta = step(n);
    const auto most = static_cast<std::uint64_t>(std::max(1.0, longest / eta));
    const std::uint64_t count = std::min({most, run.updates - n, 1 + n / 50});
    theta += eta * static_cast<double>(count) * theory.drift(theta);
    n += count;
    if (n > run.average_from) {
      sum += static_cast<double>(std::min(count, n - run.average_from)) * theta;
    }
  }
  return {theta, sum / static_cast<double>(run.updates - run.average_from)};
}

/// Newton without noise. Late samples change little, so many are taken at once.
VectorXd newton_start(const Asymptotics& theory, const LearnerRun& run) {
  VectorXd theta = VectorXd::Zero(theory.limit().size());
  VectorXd theta_sum = theta;
  VectorXd drift_sum = theta;
  MatrixXd jacobian_sum = MatrixXd::Zero(theta.size(), theta.size());
  for (std::uint64_t n = 0; n < run.updates;) {
    const std::uint64_t count =
        n == 0 ? run.warmup : std::min(run.updates - n, std::max<std::uint64_t>(1, n / 500));
    theta_sum += static_cast<double>(count) * theta;
    drift_sum += static_cast<double>(count) * theory.drift(theta);
    jacobian_sum += static_cast<double>(count) * theory.jacobian(theta);
    n += count;
    theta = theta_sum / static_cast<double>(n) - jacobian_sum.partialPivLu().solve(drift_sum);
  }
  return (theta - theory.limit()).cwiseAbs();
}

/// The mean over n in (from, to] of a function that changes slowly in log n.
VectorXd mean_over(std::uint64_t from, std::uint64_t to, const std::function<VectorXd(double)>& f) {
  constexpr int blocks = 16;
  const double begin = std::max(1.0, static_cast<double>(from));
  const double ratio = std::pow(static_cast<double>(to) / begin, 1.0 / blocks);
  VectorXd sum;
  double left = begin;
  for (int i = 0; i < blocks; ++i, left *= ratio) {
    const VectorXd part = f(left * std::sqrt(ratio)) * (left * (ratio - 1.0));
    sum = i == 0 ? part : VectorXd(sum + part);
  }
  return sum / static_cast<double>(to - from);
}

double step_at(const learn::PolynomialStep& step, double n) {
  return step.b1() * std::pow(n + step.b2(), -step.delta());
}
/// The derivative of 1/η_n.
double kappa_at(const learn::PolynomialStep& step, double n) {
  return step.delta() / (step_at(step, n) * (n + step.b2()));
}

template <class Part>
Tolerance of_both_sides(const EvaluationProblem& evaluation, const VectorXd& limit, double lambda,
                        Part part) {
  Tolerance left = part(Asymptotics(evaluation, lambda, limit, Side::left));
  const Tolerance right = part(Asymptotics(evaluation, lambda, limit, Side::right));
  left.deviation = larger(left.deviation, right.deviation);
  left.bias = larger(left.bias, right.bias);
  return left;
}

}  // namespace

Tolerance last_iterate_tolerance(const EvaluationProblem& evaluation, const VectorXd& limit,
                                 const LearnerRun& run) {
  return of_both_sides(evaluation, limit, run.lambda, [&](const Asymptotics& theory) {
    const auto n = static_cast<double>(run.updates);
    const MatrixXd covariance = step_at(run.step, n) * theory.stationary(kappa_at(run.step, n));
    const VectorXd start = (without_noise(theory, run).last - limit).cwiseAbs();
    return Tolerance{covariance, root_of_diagonal(covariance),
                     start + theory.curvature(covariance, Asymptotics::Slope::at_limit)};
  });
}

Tolerance averaged_tolerance(const EvaluationProblem& evaluation, const VectorXd& limit,
                             const LearnerRun& run) {
  return of_both_sides(evaluation, limit, run.lambda, [&](const Asymptotics& theory) {
    const MatrixXd covariance =
        theory.averaged() / static_cast<double>(run.updates - run.average_from);
    const VectorXd start = (without_noise(theory, run).mean - limit).cwiseAbs();
    const MatrixXd q = theory.stationary(0.0);
    const VectorXd curvature = mean_over(run.average_from, run.updates, [&](double n) {
      return theory.curvature(step_at(run.step, n) * q, Asymptotics::Slope::at_limit);
    });
    return Tolerance{covariance, root_of_diagonal(covariance), start + curvature};
  });
}

Tolerance newton_tolerance(const EvaluationProblem& evaluation, const VectorXd& limit,
                           const LearnerRun& run) {
  return of_both_sides(evaluation, limit, 0.0, [&](const Asymptotics& theory) {
    const MatrixXd averaged = theory.averaged();
    const MatrixXd covariance = averaged / static_cast<double>(run.updates);
    const VectorXd curvature = mean_over(run.warmup, run.updates, [&](double n) {
      return theory.curvature(averaged / n, Asymptotics::Slope::as_met);
    });
    return Tolerance{covariance, root_of_diagonal(covariance),
                     newton_start(theory, run) + curvature};
  });
}

}  // namespace shortfall::testing
