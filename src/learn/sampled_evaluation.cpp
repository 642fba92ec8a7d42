#include "shortfall/learn/sampled_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "errors/require.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::learn::detail {

void check_options(const EvaluationOptions& options, std::size_t dimension,
                   std::size_t initial_guess) {
  require(initial_guess == 0 || initial_guess == dimension,
          "an initial guess of {} weights; accepted: none, or {}", initial_guess, dimension);
  require(options.trajectories != 0 && options.samples >= options.trajectories,
          "{} samples in {} trajectories; accepted: at least one trajectory, and one "
          "sample for each",
          options.samples, options.trajectories);
  require(options.pilot != 0, "a pilot of 0 samples; accepted: one or more");
  const double restart = options.restart.value_or(0.0);
  require(restart >= 0.0 && restart < 1.0, "restart probability = {}; accepted: a number in [0, 1)",
          restart);
  require(!options.normalisation || options.normalisation->dimension() == dimension,
          "a normalisation of {} features; accepted: {}",
          options.normalisation ? options.normalisation->dimension() : 0, dimension);
  const std::uint64_t warmup = options.learner.newton.warmup.value_or(default_warmup(dimension));
  if (is_newton(options.learner.algorithm) && warmup >= options.samples / options.trajectories) {
    throw InvalidField(
        "warmup",
        fmt::format("a warm-up of {} samples in trajectories of {}; accepted: fewer than that",
                    warmup, options.samples / options.trajectories));
  }
}

double restart_probability(const EvaluationOptions& options) {
  if (options.restart) return *options.restart;
  const double gamma = options.learner.gamma;
  return 0.9 * (1.0 - gamma * gamma);
}

void add_slopes(const PilotSample& sample, std::span<const double> theta,
                const LearnerOptions& learner, PilotScales& scales) {
  const auto add = [&](double error, double share) {
    const double slope = learner.loss.at(error).left_slope;
    scales.mean_slope += share * slope;
    scales.largest_slope = std::max(scales.largest_slope, slope);
  };
  const auto& [phi, cost, phi_next] = sample;
  if (!is_averager(learner.algorithm)) {
    double error = cost;
    for (std::size_t j = 0; j < phi.size(); ++j) {
      error += theta[j] * (learner.gamma * phi_next[j] - phi[j]);
    }
    add(error, 1.0);
    return;
  }
  const double next = std::inner_product(phi_next.begin(), phi_next.end(), theta.begin(), 0.0);
  for (std::size_t i = 0; i < phi.size(); ++i) {
    if (phi[i] > 0.0) add(cost + learner.gamma * next - theta[i], phi[i]);
  }
}

std::size_t WeightChange::dimension() const {
  if (const auto* given = std::get_if<std::size_t>(&change_)) return *given;
  if (const auto* change = std::get_if<features::Normalisation>(&change_)) {
    return change->dimension();
  }
  return std::get<features::Orthonormalisation>(change_).rank();
}

std::vector<double> WeightChange::to_learner(std::span<const double> theta) const {
  if (const auto* change = std::get_if<features::Normalisation>(&change_)) {
    return change->to_normalised(theta);
  }
  if (const auto* change = std::get_if<features::Orthonormalisation>(&change_)) {
    return change->to_orthonormal(theta);
  }
  return {theta.begin(), theta.end()};
}

std::vector<double> WeightChange::from_learner(std::span<const double> theta) const {
  if (const auto* change = std::get_if<features::Normalisation>(&change_)) {
    return change->from_normalised(theta);
  }
  if (const auto* change = std::get_if<features::Orthonormalisation>(&change_)) {
    return change->from_orthonormal(theta);
  }
  return {theta.begin(), theta.end()};
}

AnyLearner make_learner(const EvaluationOptions& options, const PilotScales& pilot,
                        const WeightChange& change, std::span<const double> initial_guess) {
  LearnerOptions learner = options.learner;
  if (options.steps == EvaluationOptions::Steps::fitted) {
    // Losses that grow fast may have any slope at a bad guess: steps are then small, but not zero.
    const double spread = std::clamp(pilot.largest_slope / pilot.mean_slope, 1.0, 1e6);
    const double mean = std::clamp(pilot.mean_slope, 1e-100, 1e100);
    const double begin = 4.0 * spread * pilot.time;
    constexpr double delta = 2.0 / 3.0;
    const double first_step = 1.0 / (mean * spread * pilot.largest_square);
    learner.step = PolynomialStep(first_step * portable::pow(begin, delta), begin, delta);
    learner.average_from = options.samples / options.trajectories / 2;
  }
  AnyLearner result(change.dimension(), learner);
  result.start_from(change.to_learner(initial_guess));
  return result;
}

Evaluation average_trajectories(const EvaluationOptions& options, const Execution& execution,
                                const Beginner& beginner, const TrajectoryWork& work) {
  const WeightChange& change = beginner.change;
  const std::span<const double> initial_guess = beginner.initial_guess;
  struct Learned {
    LearnerStatus status = LearnerStatus::ok;
    std::vector<double> theta = {};  ///< empty if stopped
  };
  shortfall::detail::Watch watch(execution.monitor,
                                 {.activity = "learning", .total = options.trajectories});
  const auto is_stopped = [&watch] {
    watch.poll();
    return watch.is_stopped();
  };
  std::vector<Learned> learned(options.trajectories);
  work.begin(is_stopped);
  shortfall::detail::Workers(execution.threads).run([&] {
    shortfall::detail::parallel_for(options.trajectories, [&](std::size_t r) {
      if (watch.is_stopped()) return;
      AnyLearner learner = beginner.learner;
      work.learn(r, learner, is_stopped);
      if (watch.is_stopped()) return;
      watch.add_steps(1);
      learned[r] = {learner.status(), {learner.theta().begin(), learner.theta().end()}};
    });
  });

  Evaluation evaluation;
  const std::vector<double> before = change.to_learner(initial_guess);
  std::vector<double> sum(before.size(), 0.0);
  for (const auto& [status, theta] : learned) {
    if (status == LearnerStatus::diverged) ++evaluation.diverged;
    if (status == LearnerStatus::singular) ++evaluation.singular;
    if (theta.empty()) ++evaluation.stopped;
    if (!has_values(status) || theta.empty()) continue;
    ++evaluation.used;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += theta[j];
  }
  evaluation.theta.assign(initial_guess.begin(), initial_guess.end());
  evaluation.change = 0.0;
  if (evaluation.used == 0) return evaluation;
  for (std::size_t j = 0; j < sum.size(); ++j) {
    sum[j] = sum[j] / static_cast<double>(evaluation.used) - before[j];
    evaluation.change = std::hypot(evaluation.change, sum[j]);
  }
  // Features that the pilot did not see, or that depend on others there, keep their initial guess.
  const std::vector<double> moved = change.from_learner(sum);
  for (std::size_t j = 0; j < moved.size(); ++j) evaluation.theta[j] += moved[j];
  return evaluation;
}

}  // namespace shortfall::learn::detail
