#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shortfall/features/normalisation.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/parallel/execution.hpp"

/// Policy evaluation from samples: several short trajectories of a chain, one learner on each, and
/// the mean of their weights (Wang and Delage, section 6.2).
namespace shortfall::learn {

/// The features that learners work in. They span the same functions, and what is found is always in
/// weights of the given features. Averagers always work in the given ones: others are not
/// nonnegative with a sum of at most 1.
enum class FeatureChange {
  orthonormal,  ///< on the pilot's states: one step suits all directions; at most 1024 features
  normalised,   ///< feature by feature: each of a similar size
  none          ///< the given features
};

struct EvaluationOptions {
  LearnerOptions learner;
  FeatureChange features = FeatureChange::orthonormal;
  /// The change by FeatureChange::normalised. By default each feature is divided by its largest
  /// absolute value on the pilot's states.
  std::optional<features::Normalisation> normalisation = {};
  /// Fitted: overrides the steps of `learner` by η_n = (1 + n/(4 q S/s))^(-2/3) / (S q) and
  /// averages the iterates of the second half. Here s is the mean and S the largest slope of the
  /// loss at the errors of the initial guess, and q the largest ‖φ‖², all over the pilot. At the
  /// states and errors of the pilot, no step therefore moves V(x) by more than its error; steps
  /// begin to decrease after about the time that learning takes, which in orthonormal features is
  /// the same for all directions; and averaging removes the noise. Nothing in it depends on the
  /// scale of the features or the loss, nor on the unit of costs if the loss does not. It is slow
  /// if γ is near 1 or if slopes differ by orders of magnitude, as those of entropic losses do far
  /// from the solution; Newton is not.
  ///
  /// For averagers q is the largest φ_i, so that no step moves a weight by more than the error of
  /// its cell, and the steps begin to decrease after 4 q S/s times the number of cells that the
  /// pilot visits: the time in which an average cell is learned.
  enum class Steps { fitted, given } steps = Steps::fitted;

  std::size_t samples = 60'000;  ///< in total, divided equally among the trajectories
  std::size_t trajectories = 20;
  enum class Paths {
    separate,  ///< each trajectory has a start of its own
    divided    ///< one path is cut into trajectories, each of which begins where the last one ends
  } paths = Paths::separate;
  /// What becomes of a trajectory of Newton whose matrix has no inverse after the warm-up.
  enum class Singular {
    keep_waiting,  ///< it goes on, and counts if there is an inverse at its end
    discarded      ///< it ends there
  } singular = Singular::keep_waiting;
  std::size_t pilot = 5'000;  ///< initial samples, from which scales are estimated
  /// The probability of a restart after each sample; by default 0.9 (1 - γ²), for which the
  /// discount of the restarted path, γ/√(1 - p), is below 1: enough for the mean. Other losses have
  /// their own limits (theory/conditions.hpp), which a large p may exceed. See Trajectory.
  std::optional<double> restart = {};
  std::uint64_t seed = 1;
};

struct [[nodiscard]] Evaluation {
  std::vector<double> theta;  ///< mean over the trajectories used; if none, the initial guess
  /// √ mean (φᵀθ - φᵀθ₀)² over the pilot's states, θ₀ the initial guess; 0 if none is used.
  double change = infinity;
  std::size_t used = 0;      ///< number of trajectories
  std::size_t singular = 0;  ///< excluded: Newton's matrix had no inverse when they ended
  std::size_t diverged = 0;  ///< also excluded
  std::size_t stopped = 0;   ///< likewise: stopped by the monitor before their end
};

/// Evaluates a chain from samples, starting from θ = `initial_guess`, or zeros if it is empty. The
/// resulting θ is for the given features, whatever the learners work in. The monitor is called with
/// the number of finished trajectories. The same seed gives bitwise identical results for any
/// number of threads.
///
///   const Evaluation found = evaluate_from_samples(
///       Simulation{sampler, features, start}, {}, {.learner = {.loss = loss, .gamma = 0.9}});
template <class Chain, class Map, class StartRule>
Evaluation evaluate_from_samples(const Simulation<Chain, Map, StartRule>& simulation,
                                 std::span<const double> initial_guess,
                                 const EvaluationOptions& options, const Execution& execution = {});

}  // namespace shortfall::learn

#include "shortfall/learn/detail/sampled_evaluation.hpp"
