#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <pcg_random.hpp>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/features/orthonormal.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/random_streams.hpp"

/// Policy evaluation from samples: several short trajectories of a chain, one learner on each, and
/// the mean of their weights (Wang and Delage, section 6.2).
namespace shortfall::learn {

struct EvaluationOptions {
  LearnerOptions learner;
  /// Fitted: overrides the steps of `learner` by η_n = (1 + n/(4 q S/s))^(-2/3) / (S q) and
  /// averages the iterates of the second half. Here s is the mean and S the largest slope of the
  /// loss at the errors of the initial guess, and q the largest ‖φ‖², all over the pilot. At the
  /// states and errors of the pilot, no step therefore moves V(x) by more than its error; steps
  /// begin to decrease after about the time that learning takes, which in orthonormal features is
  /// the same for all directions; and averaging removes the noise. Nothing in it depends on the
  /// scale of the features or the loss, nor on the unit of costs if the loss does not. It is slow
  /// if γ is near 1 or if slopes differ by orders of magnitude, as those of entropic losses do far
  /// from the solution; Newton is not.
  enum class Steps { fitted, given } steps = Steps::fitted;

  std::size_t samples = 60'000;  ///< in total, divided equally among the trajectories
  std::size_t trajectories = 20;
  std::size_t pilot = 5'000;  ///< initial samples, from which scales are estimated
  /// The probability of a restart after each sample; by default 0.9 (1 - γ²), for which the
  /// discount of the restarted path, γ/√(1 - p), is below 1: enough for the mean. Other losses have
  /// their own limits (theory/conditions.hpp), which a large p may exceed. See Trajectory.
  std::optional<double> restart = {};
  std::uint64_t seed = 1;
  int threads = 0;       ///< 0: all cores. Results do not depend on it
  Monitor monitor = {};  ///< called with the number of finished trajectories
};

struct [[nodiscard]] Evaluation {
  std::vector<double> theta;  ///< mean over the trajectories used; if none, the initial guess
  double change = 0.0;  ///< √ mean (φᵀθ - φᵀθ₀)² over the pilot's states, θ₀ the initial guess
  std::size_t used = 0;      ///< number of trajectories
  std::size_t singular = 0;  ///< excluded: Newton's matrix had no inverse at the end
  std::size_t diverged = 0;  ///< also excluded
  std::size_t stopped = 0;   ///< likewise: stopped by the monitor before their end
};

namespace detail {

/// For the pilot's Orthonormalisation: directions of less than a thousandth of a feature's mean
/// square are learned more slowly, so that they do not force small steps.
inline constexpr double pilot_ridge = 1e-3;

/// Scales estimated from a first path of the chain.
struct Pilot {
  features::Orthonormalisation change;
  double largest_square;  ///< of ‖φ̃‖, over the states visited
  double mean_slope;
  double largest_slope;
};

/// Throws InvalidInput for invalid options.
void check_options(const EvaluationOptions& options, std::size_t dimension,
                   std::size_t initial_guess);
double largest_square(const features::Dense& sample, const features::Orthonormalisation& change);
double restart_probability(const EvaluationOptions& options);
AnyLearner make_learner(const EvaluationOptions& options, const Pilot& pilot,
                        std::span<const double> initial_guess);

/// Learns from one trajectory, up to its end or until is_stopped().
using Learn =
    std::function<void(pcg64& bits, AnyLearner& learner, const std::function<bool()>& is_stopped)>;

/// Runs `learn` for each trajectory, in parallel, and averages the results.
Evaluation average_trajectories(const EvaluationOptions& options, const Pilot& pilot,
                                std::span<const double> initial_guess, const Learn& learn);

/// The pilot path, at the initial guess θ. Slopes are left slopes ℓ' at the errors.
template <class Chain, class Map, class StartRule>
Pilot run_pilot(const Simulation<Chain, Map, StartRule>& simulation, std::span<const double> theta,
                const EvaluationOptions& options) {
  const auto& [chain, map, start] = simulation;
  pcg64 bits = stream_generator(options.seed, options.trajectories);
  Trajectory path(chain, start, bits, restart_probability(options));
  const std::size_t d = map.dimension();
  std::vector<double> rows(options.pilot * d);
  std::vector<double> phi_next(d);
  double sum = 0.0;
  double largest = 0.0;
  for (std::size_t n = 0; n < options.pilot; ++n) {
    const std::span<double> phi = std::span(rows).subspan(n * d, d);
    const auto transition = path.step(bits);
    map.write(transition.x, phi);
    double error = transition.cost;
    if (!transition.ends) map.write(transition.next, phi_next);
    for (std::size_t j = 0; j < d; ++j) {
      const double next = transition.ends ? 0.0 : phi_next[j];
      error += theta[j] * (options.learner.gamma * next - phi[j]);
    }
    const double slope = options.learner.loss.at(error).left_slope;
    sum += slope;
    largest = std::max(largest, slope);
  }
  const features::Dense sample(std::move(rows), d);
  features::Orthonormalisation change(sample, detail::pilot_ridge);
  const double largest_square = detail::largest_square(sample, change);
  return {std::move(change), largest_square, sum / static_cast<double>(options.pilot), largest};
}

/// Learns from samples along one path, as long as takes(n) holds for the n-th, from 0.
template <Learner A, class Path, class Map, class Takes>
void learn_from_path(A& learner, Path path, const Map& map, const Takes& takes, pcg64& bits) {
  std::vector<double> phi(map.dimension());
  std::vector<double> phi_next(map.dimension());
  map.write(path.state(), phi);
  for (std::size_t n = 0; takes(n) && learner.status() != LearnerStatus::diverged; ++n) {
    const auto transition = path.step(bits);
    if (transition.ends) {
      (void)learner.update_terminal(phi, transition.cost);
    } else {
      map.write(transition.next, phi_next);
      (void)learner.update(phi, transition.cost, phi_next);
      phi.swap(phi_next);
    }
    if (!transition.restarts) continue;
    learner.start_episode();
    map.write(path.state(), phi);
  }
}

}  // namespace detail

/// Evaluates a chain from samples, starting from θ = `initial_guess`, or zeros if it is empty.
/// Learners work in features that are orthonormal on a pilot sample; the resulting θ is for the
/// given features. The same seed gives bitwise identical results for any number of threads.
///
///   const Evaluation found = evaluate_from_samples(
///       Simulation{sampler, features, start}, {}, {.learner = {.loss = loss, .gamma = 0.9}});
template <class Chain, class Map, class StartRule>
Evaluation evaluate_from_samples(const Simulation<Chain, Map, StartRule>& simulation,
                                 std::span<const double> initial_guess,
                                 const EvaluationOptions& options) {
  const Map& map = simulation.features;
  detail::check_options(options, map.dimension(), initial_guess.size());
  std::vector<double> theta(map.dimension(), 0.0);
  std::copy(initial_guess.begin(), initial_guess.end(), theta.begin());
  const detail::Pilot pilot = detail::run_pilot(simulation, theta, options);
  const features::Orthonormal<Map> orthonormal(map, pilot.change);
  const auto learn = [&](pcg64& bits, AnyLearner& learner, const auto& is_stopped) {
    Trajectory path(simulation.chain, simulation.start, bits, detail::restart_probability(options));
    const auto takes = [&, count = options.samples / options.trajectories](std::size_t n) {
      return n < count && (n % 1024 != 0 || !is_stopped());
    };
    detail::learn_from_path(learner, std::move(path), orthonormal, takes, bits);
  };
  return detail::average_trajectories(options, pilot, theta, learn);
}

}  // namespace shortfall::learn
