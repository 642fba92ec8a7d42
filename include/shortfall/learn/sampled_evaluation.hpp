#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <pcg_random.hpp>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/features/orthonormal.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/random_streams.hpp"

/// Policy evaluation from samples: several short trajectories of a chain, a learner on each, and
/// the mean of what they learned (Wang and Delage, section 6.2).
namespace shortfall::learn {

struct EvaluationOptions {
  LearnerOptions learner;
  /// Fitted: in place of what `learner` says, η_n = (1 + n/(4 q S/s))^(-2/3) / (S q) and the mean
  /// of the iterates of the second half, with s the mean and S the largest slope of the loss at the
  /// errors of the first guess, and q the largest ‖φ‖², all over the pilot. So at the states and
  /// errors of the pilot no step takes V(x) further than its error; steps begin to fall after about
  /// the time that it takes to learn, in orthonormal features the same for all directions; and the
  /// mean takes out the noise. Nothing in it depends on the scale of the features or the loss, nor
  /// on the unit of costs where the loss does not. It is slow where γ is near 1 or slopes differ by
  /// orders of magnitude, as those of entropic losses do far from the solution: Newton is not.
  enum class Steps { fitted, given } steps = Steps::fitted;

  std::size_t samples = 60'000;  ///< of all trajectories together, which get as many each
  std::size_t trajectories = 20;
  std::size_t pilot = 5'000;  ///< samples before, from which scales are learned
  /// After each sample, the probability of a new start; negative: 0.9 (1 - γ²), for which the
  /// discount of the restarted path, γ/√(1 - p), is below 1: enough for the mean. Other losses have
  /// their own limits (theory/conditions.hpp), which a large p may exceed. See Trajectory.
  double restart = -1.0;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores. Results do not depend on it
};

struct [[nodiscard]] Evaluation {
  std::vector<double> theta;  ///< mean over the trajectories used; the first guess where none was
  double change = 0.0;  ///< √ mean (φᵀθ - φᵀθ₀)² over the pilot's states, θ₀ the first guess
  std::size_t used = 0;      ///< trajectories
  std::size_t singular = 0;  ///< left out: Newton's matrix had no inverse at the end
  std::size_t diverged = 0;  ///< left out as well
};

namespace detail {

/// Of the pilot's Orthonormalisation: directions of less than a thousandth of a feature's mean
/// square are learned more slowly, so that steps need not be small for their sake.
inline constexpr double pilot_ridge = 1e-3;

/// What a first look at the chain gives.
struct Pilot {
  features::Orthonormalisation change;
  double largest_square;  ///< of ‖φ̃‖, over the states seen
  double mean_slope;
  double largest_slope;
};

/// Throws InvalidInput where the options cannot be meant.
void check(const EvaluationOptions& options, std::size_t dimension, std::size_t first_guess);
double largest_square(const features::Dense& sample, const features::Orthonormalisation& change);
double restart_probability(const EvaluationOptions& options);
AnyLearner make_learner(const EvaluationOptions& options, const Pilot& pilot,
                        std::span<const double> first_guess);

/// Runs `learn` for each trajectory, in parallel, and puts what they learned together.
Evaluation average_trajectories(const EvaluationOptions& options, const Pilot& pilot,
                                std::span<const double> first_guess,
                                const std::function<void(pcg64& bits, AnyLearner&)>& learn);

/// The pilot's path, at the first guess θ. Slopes are those of the left, ℓ' at the errors.
template <class Chain, class Map, class StartRule>
Pilot explore(const Simulation<Chain, Map, StartRule>& simulation, std::span<const double> theta,
              const EvaluationOptions& options) {
  const auto& [chain, map, start] = simulation;
  pcg64 bits = stream_bits(options.seed, options.trajectories);
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

/// `count` samples along one path.
template <Learner A, class Path, class Map>
void learn_along(A& learner, Path path, const Map& map, std::size_t count, pcg64& bits) {
  std::vector<double> phi(map.dimension());
  std::vector<double> phi_next(map.dimension());
  map.write(path.state(), phi);
  for (std::size_t n = 0; n < count && learner.status() != Status::diverged; ++n) {
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

/// Evaluates a chain from samples, with θ = `first_guess` to begin from, or zeros where it is
/// empty. Learners work in features made orthonormal on a pilot sample; θ is for the features
/// given. The same seed gives the same bytes for any number of threads.
///
///   const Evaluation found = evaluate_from_samples(
///       Simulation{sampler, features, start}, {}, {.learner = {.loss = loss, .gamma = 0.9}});
template <class Chain, class Map, class StartRule>
Evaluation evaluate_from_samples(const Simulation<Chain, Map, StartRule>& simulation,
                                 std::span<const double> first_guess,
                                 const EvaluationOptions& options) {
  const Map& map = simulation.features;
  detail::check(options, map.dimension(), first_guess.size());
  std::vector<double> theta(map.dimension(), 0.0);
  std::copy(first_guess.begin(), first_guess.end(), theta.begin());
  const detail::Pilot pilot = detail::explore(simulation, theta, options);
  const features::Orthonormal<Map> orthonormal(map, pilot.change);
  const auto learn = [&](pcg64& bits, AnyLearner& learner) {
    Trajectory path(simulation.chain, simulation.start, bits, detail::restart_probability(options));
    detail::learn_along(learner, std::move(path), orthonormal,
                        options.samples / options.trajectories, bits);
  };
  return detail::average_trajectories(options, pilot, theta, learn);
}

}  // namespace shortfall::learn
