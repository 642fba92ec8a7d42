#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"

/// Approximate policy iteration for perishable stock: orders learned from simulated periods, with
/// what they are truly worth.
namespace shortfall::inventory {

struct TrainingOptions {
  learn::Algorithm algorithm = learn::Algorithm::newton;  ///< td or newton
  std::size_t samples = 60'000;    ///< of an evaluation, of all its trajectories
  std::size_t trajectories = 20;   ///< whose weights are averaged
  std::uint64_t warmup = 1'000;    ///< of Newton, in each trajectory
  std::size_t scenarios = 0;       ///< of an improvement; 0: exact, over the joint law
  double tolerance = 1e-6;         ///< of the value of each policy, which is computed exactly
  int max_iterations = 1'000'000;  ///< of that computation
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores. Results do not depend on it
  /// What is being done, "making myopic orders", "evaluating", "improving" or "valuing exactly",
  /// and how much of it; "evaluating" is short, and said once. From any thread, one call at a time.
  std::function<void(std::string_view, double)> on_progress = {};
};

/// The most scenarios that a word may ask for.
inline constexpr std::size_t most_scenarios = 1'000'000;

/// Reads the word for an improvement: `exact` is 0 scenarios, `sampled:S` is S, from 1 to
/// most_scenarios. Nothing where it is neither.
std::optional<std::size_t> parse_improvement(std::string_view word);

/// What given orders are worth, estimated from samples.
struct Estimate {
  double value_at_empty = 0.0;  ///< φᵀθ at the empty stock of the first day
  learn::Evaluation evaluation = {};
};
/// As an iteration of a training evaluates them, with V = V̂ for a first guess.
Estimate estimate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const TrainingOptions& options = {});

/// One iteration; the first of a trace is the policy that training begins with.
struct TrainingRecord {
  int iteration = 0;
  double estimated_at_empty = 0.0;  ///< φᵀθ at the empty stock: of the policy before the iteration
  double change = 0.0;              ///< of the weights, as that of V: see learn::Evaluation
  std::size_t used = 0;             ///< trajectories
  std::size_t singular = 0;
  std::size_t diverged = 0;
  double value_at_empty = 0.0;        ///< of the policy after the iteration, exactly
  double error_bound = 0.0;           ///< certified, of that
  Status status = Status::converged;  ///< of that
};

/// Throws InvalidInput unless there is such a status; for states that are read.
void check_status(Status status);

/// How far training has come: all that it takes to go on.
struct TrainingState {
  std::vector<TrainingRecord> trace;  ///< empty before it has begun
  std::vector<double> theta;          ///< weights of StockFeatures
  Policy orders;                      ///< of the last iteration
  std::vector<double> values;         ///< what they are worth, by state
  Policy best_orders;
  std::uint64_t best = 0;  ///< where in the trace

  /// Whether any evaluation had a trajectory to learn from.
  bool has_learned() const;

  template <class Archive>
  void archive(Archive& state);

 private:
  void check_trace() const;
};

/// Starts from the myopic policy. An iteration evaluates the orders at hand from samples with
/// UBSR-TD or UBSR-Newton and StockFeatures (learn/sampled_evaluation.hpp), takes the greedy orders
/// of that estimate in every state, and computes what these are worth. Weights are carried on from
/// one iteration to the next. What is best at the empty stock, by more than the error bounds of
/// exact values, is kept. An exception leaves the training as it was before the iteration.
///
/// The same seed gives the same bytes for any number of threads, and for a training that was
/// interrupted and resumed from its state.
class Training {
 public:
  /// Begins, which values the myopic policy exactly, or goes on from a state. Refers to the model.
  /// Throws InvalidInput where the options cannot be meant, where inventory::evaluate does, and for
  /// the state of another model.
  Training(const Model& model, const Criterion& criterion, TrainingOptions options,
           TrainingState state = {});
  Training(Model&&, const Criterion&, TrainingOptions, TrainingState = {}) = delete;
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  const TrainingRecord& iterate();

  const TrainingState& state() const { return state_; }
  const TrainingRecord& best() const { return state_.trace[state_.best]; }

 private:
  class Engine;
  template <std::size_t Ages>
  class EngineOf;

  void check_state(std::size_t dimension) const;
  void add(TrainingRecord record, Policy orders);
  std::function<void(double)> progress_of(std::string_view what) const;

  const Model& model_;
  Criterion criterion_;
  TrainingOptions options_;
  TrainingState state_;
  std::unique_ptr<Engine> engine_;
};

template <class Archive>
void TrainingState::archive(Archive& state) {
  const auto sized = [&state](auto& list) {
    std::uint64_t size = list.size();
    state(size);
    if constexpr (requires { state.expect(size); }) state.expect(size);
    list.resize(size);
  };
  sized(trace);
  for (TrainingRecord& record : trace) {
    state(record.iteration);
    state(record.estimated_at_empty);
    state(record.change);
    state(record.used);
    state(record.singular);
    state(record.diverged);
    state(record.value_at_empty);
    state(record.error_bound);
    state(record.status);
  }
  const auto numbers = [&](auto& list) {
    sized(list);
    state(list);
  };
  numbers(theta);
  numbers(orders);
  numbers(values);
  numbers(best_orders);
  state(best);
  state.check([this] { check_trace(); });
}

}  // namespace shortfall::inventory
