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

#include "shortfall/features/dense.hpp"
#include "shortfall/features/feature_map.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/learner.hpp"
#include "shortfall/learn/summary.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/parallel/execution.hpp"

/// Many runs of one learner on one chain, in parallel: its mean distance from the solution, with
/// the standard error.
namespace shortfall::learn {

/// How the error of θ_n is measured: distances ‖Φθ_n - v‖_q = √(Σ q(x) (φ(x)ᵀθ_n - v(x))²) over N
/// states, all of a finite chain or a sample of a large one. An empty reference is not measured.
struct ErrorMetric {
  features::Dense phi;                       ///< N × d
  std::vector<double> q;                     ///< N weights ≥ 0
  std::vector<double> projected_value = {};  ///< ΠV, the best approximation within the features
  std::vector<double> fixed_point = {};      ///< Φθ*, the limit of the learner
  std::vector<double> value = {};            ///< V itself, which the features may not represent
};

struct RunnerOptions {
  std::size_t replications = 20;
  std::uint64_t seed = 1;  ///< replication r draws from its own stream, pcg64(seed, r)
  /// The iterations to record, increasing; runs end at the last. 0 is the start.
  std::vector<std::uint64_t> record_at = log_spaced(1, 1'000'000, 10);
  /// If given: intervals of this level at the end of each run, for learners that have them.
  std::optional<double> confidence = {};
  double restart = 0.0;  ///< probability of a new start after a step that does not end: Trajectory
};

/// One replication. Entry k of a list was recorded after record_at[k] updates. After divergence,
/// distances are +∞ and the first component is NaN.
struct Replication {
  std::vector<double> to_projected_value;  ///< empty if not measured
  std::vector<double> to_fixed_point;      ///< empty if not measured
  std::vector<double> to_value;            ///< empty if not measured
  std::vector<double> first_component;     ///< θ_n(1)
  std::vector<LearnerStatus> status;
  std::vector<double> theta;  ///< final, or the last before divergence
  /// Intervals of φ(x)ᵀθ, one per row of the metric's Φ; empty if not asked for, and after
  /// divergence.
  std::vector<Interval> intervals;
};

/// All replications after `iteration` updates. A diverged one counts in the distances: it makes
/// their mean and standard error +∞, but not necessarily their median. The first component, where
/// infinity would have no sign, counts only the others.
struct Record {
  std::uint64_t iteration;
  std::optional<Summary> to_projected_value;
  std::optional<Summary> to_fixed_point;
  std::optional<Summary> to_value;
  Summary first_component;
  std::size_t diverged;  ///< replications so far
  std::size_t singular;  ///< replications at this point; they may recover
};

/// If stopped, only replications that were finished by then, and no records without any.
struct [[nodiscard]] Replications {
  std::vector<Record> records;
  std::vector<Replication> runs;  ///< by replication
};

namespace detail {

/// Records one replication; one object per thread.
class Recorder {
 public:
  Recorder(const ErrorMetric& metric, std::span<const std::uint64_t> record_at, Replication& run,
           std::function<bool()> is_stopped = {}, std::optional<double> confidence = {});

  bool is_complete() const { return run_->status.size() == record_at_.size(); }
  bool is_finished() const { return is_complete() || (is_stopped_ && is_stopped_()); }
  /// The number of updates after which to call `record` again.
  std::uint64_t next() const { return record_at_[run_->status.size()]; }
  void record(std::span<const double> theta, LearnerStatus status);
  /// Keeps the intervals of the learner at the end, if they are asked for.
  template <class A>
  void record_intervals(const A& learner) {
    if (!confidence_ || !is_complete() || learner.status() == LearnerStatus::diverged) return;
    if constexpr (requires(std::span<const double> phi) { learner.interval(phi); }) {
      for (std::size_t x = 0; x < metric_->phi.states(); ++x) {
        run_->intervals.push_back(learner.interval(metric_->phi.row(x), {.level = *confidence_}));
      }
    } else {
      throw_without_intervals();
    }
  }

 private:
  [[noreturn]] static void throw_without_intervals();

  const ErrorMetric* metric_;
  std::span<const std::uint64_t> record_at_;
  Replication* run_;
  std::function<bool()> is_stopped_;
  std::optional<double> confidence_;
};

using Replicate = std::function<void(pcg64& bits, Recorder& recorder)>;

/// Checks the arguments, runs the replications in parallel and summarises them.
Replications run_in_parallel(const ErrorMetric& metric, const RunnerOptions& options,
                             const Execution& execution, std::size_t dimension,
                             const Replicate& replicate);

/// φ(x): the map's own row if it stores them, else written to `memory`.
template <class Map, class State>
std::span<const double> features_of(const Map& map, const State& x, std::vector<double>& memory) {
  if constexpr (requires { map.row(x); }) {
    return map.row(x);
  } else {
    map.write(x, memory);
    return memory;
  }
}

template <Learner A, class Path, class Map>
void replicate(A learner, Path path, const Map& map, pcg64& bits, Recorder& recorder) {
  std::vector<double> memory(map.dimension());
  std::vector<double> memory_next(map.dimension());
  std::span<const double> phi = features_of(map, path.state(), memory);
  std::uint64_t n = 0;
  constexpr std::uint64_t steps_between_checks = 1 << 14;  // of whether to stop
  while (!recorder.is_finished()) {
    const std::uint64_t end = std::min(recorder.next(), n + steps_between_checks);
    for (; n < end; ++n) {
      const auto transition = path.step(bits);
      if (transition.ends) {
        (void)learner.update_terminal(phi, transition.cost);
        phi = features_of(map, path.state(), memory);
      } else {
        const auto phi_next = features_of(map, transition.next, memory_next);
        (void)learner.update(phi, transition.cost, phi_next);
        memory.swap(memory_next);
        phi = phi_next;
        if (transition.restarts) {
          if constexpr (requires { learner.start_episode(); }) learner.start_episode();
          phi = features_of(map, path.state(), memory);
        }
      }
      if (learner.status() == LearnerStatus::diverged) break;
    }
    const bool is_due = n == recorder.next() || learner.status() == LearnerStatus::diverged;
    if (is_due) recorder.record(learner.theta(), learner.status());
  }
  recorder.record_intervals(learner);
}

}  // namespace detail

/// The source of transitions. Holds references to the chain and to the features, which several
/// threads use at once and which must outlive it.
template <class Chain, class Map, class StartRule>
requires GenerativeChain<Chain, pcg64> && Start<StartRule, typename Chain::State, pcg64> &&
    features::FeatureMap<Map, typename Chain::State>
struct Simulation {
  const Chain& chain;
  const Map& features;
  StartRule start;
};
template <class Chain, class Map, class StartRule>
Simulation(const Chain&, const Map&, StartRule) -> Simulation<Chain, Map, StartRule>;

/// Runs copies of `learner`, in its current state, along trajectories of the chain, restarted after
/// each end; the start is also drawn from the replication's stream. The monitor is called with the
/// number of finished replications. The same seed gives bitwise identical results for any number of
/// threads. Throws InvalidInput if learner, features and metric do not match.
///
///   const auto found = run_replications(Td(10, AnyLoss(Expectile(0.9)), 0.9),
///                                       Simulation{sampler, phi, StartAt{StateIndex{0}}},
///                                       {.phi = phi, .q = q, .projected_value = best}, {});
template <Learner A, class Chain, class Map, class StartRule>
Replications run_replications(const A& learner, const Simulation<Chain, Map, StartRule>& simulation,
                              const ErrorMetric& metric, const RunnerOptions& options = {},
                              const Execution& execution = {}) {
  const auto run = [&](pcg64& bits, detail::Recorder& recorder) {
    const auto& [chain, features, start] = simulation;
    detail::replicate(learner, Trajectory(chain, start, bits, options.restart), features, bits,
                      recorder);
  };
  return detail::run_in_parallel(metric, options, execution, learner.dimension(), run);
}

}  // namespace shortfall::learn
