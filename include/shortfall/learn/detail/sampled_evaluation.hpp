#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <pcg_random.hpp>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "shortfall/features/normalisation.hpp"
#include "shortfall/features/orthonormal.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"
#include "shortfall/mdp/random_streams.hpp"

/// What evaluate_from_samples() consists of. It is a template because chains and features are.
namespace shortfall::learn {
namespace detail {

/// For the pilot's Orthonormalisation: directions of less than a thousandth of a feature's mean
/// square are learned more slowly, so that they do not force small steps.
inline constexpr double pilot_ridge = 1e-3;

/// Weights for the given features, and for those of the learners.
class WeightChange {
 public:
  explicit WeightChange(std::size_t dimension) : change_(dimension) {}
  explicit WeightChange(features::Normalisation change) : change_(std::move(change)) {}
  explicit WeightChange(features::Orthonormalisation change) : change_(std::move(change)) {}

  std::size_t dimension() const;  ///< the number of the learners' features
  std::vector<double> to_learner(std::span<const double> theta) const;
  std::vector<double> from_learner(std::span<const double> theta) const;

 private:
  std::variant<std::size_t, features::Normalisation, features::Orthonormalisation> change_;
};

/// Scales estimated from a first path of the chain.
struct PilotScales {
  double mean_slope;
  double largest_slope;
  /// The largest ‖φ̃‖² over the states visited, where φ̃ are the learners' features; for averagers
  /// the largest φ_i.
  double largest_square = 0.0;
  double time = 0.0;  ///< in which learning takes place, at a step of 1/largest_square and slope 1
};
template <class State>
struct Pilot {
  std::vector<State> states;  ///< in the order of the path
  PilotScales scales;
};

/// Throws InvalidInput for invalid options.
void check_options(const EvaluationOptions& options, std::size_t dimension,
                   std::size_t initial_guess);
double restart_probability(const EvaluationOptions& options);
inline FeatureChange feature_change(const EvaluationOptions& options) {
  return is_averager(options.learner.algorithm) ? FeatureChange::none : options.features;
}
AnyLearner make_learner(const EvaluationOptions& options, const PilotScales& scales,
                        const WeightChange& change, std::span<const double> initial_guess);

using IsStopped = std::function<bool()>;

/// The work of an evaluation. Both functions return early once is_stopped().
struct TrajectoryWork {
  std::function<void(const IsStopped&)> begin;  ///< finds where trajectories begin
  /// Learns from the r-th trajectory; several threads call it at once.
  std::function<void(std::size_t r, AnyLearner& learner, const IsStopped&)> learn;
};

/// What each trajectory begins with.
struct Beginner {
  const AnyLearner& learner;
  const WeightChange& change;
  std::span<const double> initial_guess;
};

/// Runs the trajectories with copies of the learner, in parallel, and averages the results. The
/// `change` of the evaluation is the norm of that of the learners' weights.
Evaluation average_trajectories(const EvaluationOptions& options, const Execution& execution,
                                const Beginner& beginner, const TrajectoryWork& work);

/// How often paths ask whether they are stopped, in samples.
inline constexpr std::size_t samples_between_polls = 1024;

/// Where a trajectory begins, and the draws that continue it.
template <class Path>
struct Beginning {
  Path path;
  pcg64 bits;
};

/// None if stopped.
template <class Chain, class Map, class StartRule>
auto beginnings(const Simulation<Chain, Map, StartRule>& simulation,
                const EvaluationOptions& options, const IsStopped& is_stopped) {
  const auto begin = [&](std::uint64_t stream) {
    pcg64 bits = stream_generator(options.seed, stream);
    Trajectory path(simulation.chain, simulation.start, bits, restart_probability(options));
    return Beginning<decltype(path)>{std::move(path), bits};
  };
  std::vector<decltype(begin(0))> all;
  if (options.paths == EvaluationOptions::Paths::separate) {
    for (std::size_t r = 0; r < options.trajectories; ++r) all.push_back(begin(r));
    return all;
  }
  auto now = begin(0);
  const std::size_t length = options.samples / options.trajectories;
  for (std::size_t r = 0; r < options.trajectories; ++r) {
    all.push_back(now);
    if (r + 1 == options.trajectories) break;
    for (std::size_t n = 0; n < length; ++n) {
      if (n % samples_between_polls == 0 && is_stopped()) return decltype(all){};
      (void)now.path.step(now.bits);
    }
  }
  return all;
}

struct PilotSample {
  std::span<const double> phi;
  double cost;
  std::span<const double> phi_next;  ///< zeros at the end of an episode
};
/// Adds the slope of the loss at the error of a transition; of averagers those at the errors of its
/// cells, with the shares φ_i.
void add_slopes(const PilotSample& sample, std::span<const double> theta,
                const LearnerOptions& learner, PilotScales& scales);

/// The pilot path, at the initial guess θ. Slopes are left slopes ℓ' at the errors.
template <class Chain, class Map, class StartRule>
Pilot<typename Chain::State> run_pilot(const Simulation<Chain, Map, StartRule>& simulation,
                                       std::span<const double> theta,
                                       const EvaluationOptions& options) {
  const auto& [chain, map, start] = simulation;
  pcg64 bits = stream_generator(options.seed, options.trajectories);
  Trajectory path(chain, start, bits, restart_probability(options));
  Pilot<typename Chain::State> pilot{};
  std::vector<double> phi(map.dimension());
  std::vector<double> phi_next(map.dimension());
  for (std::size_t n = 0; n < options.pilot; ++n) {
    const auto transition = path.step(bits);
    map.write(transition.x, phi);
    if (transition.ends) {
      std::fill(phi_next.begin(), phi_next.end(), 0.0);
    } else {
      map.write(transition.next, phi_next);
    }
    pilot.states.push_back(transition.x);
    add_slopes({phi, transition.cost, phi_next}, theta, options.learner, pilot.scales);
  }
  pilot.scales.mean_slope /= static_cast<double>(options.pilot);
  return pilot;
}

/// Over states, the largest ‖φ‖² of a map, and the mean of (φᵀθ)².
template <class Map, class State>
double largest_square(const Map& map, const std::vector<State>& states) {
  std::vector<double> phi(map.dimension());
  double largest = 0.0;
  for (const State& x : states) {
    map.write(x, phi);
    largest = std::max(largest, std::inner_product(phi.begin(), phi.end(), phi.begin(), 0.0));
  }
  return largest;
}
template <class Map, class State>
double mean_square(const Map& map, const std::vector<State>& states,
                   std::span<const double> theta) {
  std::vector<double> phi(map.dimension());
  double sum = 0.0;
  for (const State& x : states) {
    map.write(x, phi);
    const double value = std::inner_product(phi.begin(), phi.end(), theta.begin(), 0.0);
    sum += value * value;
  }
  return sum / static_cast<double>(states.size());
}

/// Sets the scales of the learners' features from those of the pilot's states.
template <class Map, class State>
void set_scales(const Map& map, const std::vector<State>& states, Algorithm algorithm,
                PilotScales& scales) {
  if (!is_averager(algorithm)) {
    scales.time = scales.largest_square = largest_square(map, states);
    return;
  }
  std::vector<double> phi(map.dimension());
  std::vector<double> largest(map.dimension());
  for (const State& x : states) {
    map.write(x, phi);
    for (std::size_t i = 0; i < phi.size(); ++i) largest[i] = std::max(largest[i], phi[i]);
  }
  const auto cells = std::ranges::count_if(largest, [](double of) { return of > 0.0; });
  scales.largest_square = *std::ranges::max_element(largest);
  scales.time = scales.largest_square * static_cast<double>(cells);
}

/// Calls use(features, change) with the features of the learners.
template <class Map, class State, class Use>
Evaluation with_changed_features(const Map& map, const std::vector<State>& sample,
                                 const EvaluationOptions& options, const Use& use) {
  switch (feature_change(options)) {
    case FeatureChange::none:
      return use(map, WeightChange(map.dimension()));
    case FeatureChange::normalised: {
      const features::Normalisation change =
          options.normalisation
              ? *options.normalisation
              : features::Normalisation(features::fit_largest(features::Dense::of(map, sample)));
      return use(features::Normalised<Map>(map, change.scaling()), WeightChange(change));
    }
    case FeatureChange::orthonormal:
      break;
  }
  const features::Orthonormalisation change(features::Dense::of(map, sample), pilot_ridge);
  return use(features::Orthonormal<Map>(map, change), WeightChange(change));
}

/// The features of one state: all of them, or the active ones of a map that knows them.
template <class Map>
struct DenseRow {
  explicit DenseRow(const Map& map) : phi(map.dimension()) {}
  void write(const Map& map, const auto& x) { map.write(x, phi); }
  std::span<const double> view() const { return phi; }
  std::vector<double> phi;
};
template <class Map>
struct SparseRow {
  explicit SparseRow(const Map& map) : phi(map.max_active()) {}
  void write(const Map& map, const auto& x) { map.write_active(x, phi); }
  SparseFeatures view() const { return phi; }
  features::ActiveFeatures phi;
};

/// Learns from samples along one path, as long as takes(n) holds for the n-th, from 0.
template <Learner A, class Path, class Map, class Takes>
void learn_from_path(A& learner, Path path, const Map& map, const Takes& takes, pcg64& bits) {
  using State = std::remove_cvref_t<decltype(path.state())>;
  constexpr bool is_sparse = features::SparseFeatureMap<Map, State> && SparseLearner<A>;
  std::conditional_t<is_sparse, SparseRow<Map>, DenseRow<Map>> phi(map), phi_next(map);
  phi.write(map, path.state());
  for (std::size_t n = 0; takes(n) && learner.status() != LearnerStatus::diverged; ++n) {
    const auto transition = path.step(bits);
    if (transition.ends) {
      (void)learner.update_terminal(phi.view(), transition.cost);
    } else {
      phi_next.write(map, transition.next);
      (void)learner.update(phi.view(), transition.cost, phi_next.view());
      std::swap(phi, phi_next);
    }
    if (!transition.restarts) continue;
    learner.start_episode();
    phi.write(map, path.state());
  }
}

}  // namespace detail

template <class Chain, class Map, class StartRule>
Evaluation evaluate_from_samples(const Simulation<Chain, Map, StartRule>& simulation,
                                 std::span<const double> initial_guess,
                                 const EvaluationOptions& options, const Execution& execution) {
  const Map& map = simulation.features;
  detail::check_options(options, map.dimension(), initial_guess.size());
  std::vector<double> theta(map.dimension(), 0.0);
  std::copy(initial_guess.begin(), initial_guess.end(), theta.begin());
  detail::Pilot<typename Chain::State> pilot = detail::run_pilot(simulation, theta, options);
  const auto evaluate = [&](const auto& features, const detail::WeightChange& change) {
    detail::set_scales(features, pilot.states, options.learner.algorithm, pilot.scales);
    using Path = Trajectory<Chain, StartRule>;
    std::vector<detail::Beginning<Path>> begun;
    const detail::TrajectoryWork work{
        .begin =
            [&](const auto& is_stopped) {
              begun = detail::beginnings(simulation, options, is_stopped);
            },
        .learn =
            [&](std::size_t r, AnyLearner& learner, const auto& is_stopped) {
              const bool discards = options.singular == EvaluationOptions::Singular::discarded;
              const auto takes = [&,
                                  count = options.samples / options.trajectories](std::size_t n) {
                if (n >= count || (n % detail::samples_between_polls == 0 && is_stopped()))
                  return false;
                return !(discards && learner.status() == LearnerStatus::singular);
              };
              auto [path, bits] = begun[r];
              detail::learn_from_path(learner, std::move(path), features, takes, bits);
            }};
    const AnyLearner learner = detail::make_learner(options, pilot.scales, change, theta);
    return detail::average_trajectories(options, execution, {learner, change, theta}, work);
  };
  Evaluation evaluation = detail::with_changed_features(map, pilot.states, options, evaluate);
  if (detail::feature_change(options) != FeatureChange::orthonormal && evaluation.used > 0) {
    for (std::size_t j = 0; j < theta.size(); ++j) theta[j] -= evaluation.theta[j];
    evaluation.change = std::sqrt(detail::mean_square(map, pilot.states, theta));
  }
  return evaluation;
}

}  // namespace shortfall::learn
