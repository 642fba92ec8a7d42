#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/train/evaluation_method.hpp"
#include "shortfall/inventory/train/feature_set.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"

/// Approximate policy iteration for perishable stock: orders learned from simulated periods,
/// together with their exact values.
namespace shortfall::inventory {

/// The algorithms that evaluate orders in a training.
inline constexpr Names<learn::Algorithm, 4> training_algorithms{
    {{to_string(learn::Algorithm::td), learn::Algorithm::td},
     {to_string(learn::Algorithm::newton), learn::Algorithm::newton},
     {to_string(learn::Algorithm::averager_td), learn::Algorithm::averager_td},
     {to_string(learn::Algorithm::averager_newton), learn::Algorithm::averager_newton}}};

struct TrainingOptions {
  learn::Algorithm algorithm = learn::Algorithm::newton;  ///< one of training_algorithms
  std::size_t samples = 60'000;   ///< per evaluation, over all its trajectories
  std::size_t trajectories = 20;  ///< number of trajectories whose weights are averaged
  std::uint64_t warmup = 1'000;   ///< of Newton, in each trajectory
  std::size_t scenarios = 0;      ///< per improvement; 0: exact, over the joint law
  EvaluationMethod evaluation = {};
  std::optional<FeatureSet> features = {};  ///< of the stock; none: default_features(algorithm)
  Tolerance tolerance = {};        ///< for the value of each policy, which is computed exactly
  int max_iterations = 1'000'000;  ///< of that computation
  std::uint64_t seed = 1;
};

/// The options that determine what is learned, by name and as text: a training that is resumed must
/// have the same ones.
std::vector<std::pair<std::string, std::string>> recorded_options(const TrainingOptions& options);

/// The largest number of scenarios that parse_improvement accepts.
inline constexpr std::size_t max_scenarios = 1'000'000;

/// Parses an improvement: `exact` is 0 scenarios, `sampled:S` is S, from 1 to max_scenarios.
/// Returns nullopt for anything else.
std::optional<std::size_t> parse_improvement(std::string_view spec);

/// The value of given orders, estimated from samples.
struct Estimate {
  double value_at_empty = 0.0;  ///< φᵀθ at the empty stock of the first day
  learn::Evaluation evaluation = {};
};
/// Evaluates as the first iteration of a training does.
Estimate estimate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const TrainingOptions& options = {}, const Execution& execution = {});

/// One iteration; the first of a trace is the initial policy.
struct TrainingRecord {
  int iteration = 0;
  double estimated_at_empty = 0.0;  ///< φᵀθ at the empty stock: of the policy before the iteration
  double change = infinity;  ///< of the weights, measured as a change of V: see learn::Evaluation
  std::size_t used = 0;      ///< number of trajectories
  std::size_t singular = 0;
  std::size_t diverged = 0;
  double value_at_empty = 0.0;              ///< exact value of the policy after the iteration
  double error_bound = infinity;            ///< certified, of value_at_empty
  Status status = Status::iteration_limit;  ///< of the computation of value_at_empty
};

/// Throws InvalidInput unless `status` is a valid enumerator; for states read from files.
void check_status(Status status);

/// The progress of a training: everything needed to resume it.
struct TrainingState {
  std::vector<TrainingRecord> trace;  ///< empty before training begins
  std::vector<double> theta;          ///< weights of StockFeatures
  Policy orders;                      ///< of the last iteration
  std::vector<double> values;         ///< their exact values, by state
  Policy best_orders;
  std::uint64_t best = 0;  ///< index in the trace

  /// Whether any evaluation had a usable trajectory.
  bool has_learned() const;

  template <class Archive>
  void archive(Archive& state);

 private:
  void check_trace() const;
};

/// Starts from the myopic policy. An iteration evaluates the current orders from samples with
/// UBSR-TD, UBSR-Newton or an averager and StockFeatures (learn/sampled_evaluation.hpp), takes the
/// greedy orders of that estimate in every state, and computes their exact values. By default
/// weights carry over from one iteration to the next (EvaluationMethod). The best orders so far are
/// kept: those with the lowest value at the empty stock, by more than the error bounds of the exact
/// values. The monitor is called in the parts of an iteration: "computing myopic orders" (of the
/// first), "learning", "improving", "evaluating". An exception, or a request to stop, leaves the
/// training as it was before the iteration.
///
/// The same seed gives bitwise identical results for any number of threads, and for a training that
/// was interrupted and resumed from its state.
class Training {
 public:
  /// Begins by evaluating the myopic policy exactly, or resumes from a state; if stopped, the trace
  /// is empty, and the next iteration begins again. Holds a reference to the model. Throws
  /// InvalidInput for invalid options, in the cases where inventory::evaluate does, and for the
  /// state of another model.
  Training(const Model& model, const Criterion& criterion, TrainingOptions options,
           TrainingState state = {}, Execution execution = {});
  Training(Model&&, const Criterion&, TrainingOptions, TrainingState = {}, Execution = {}) = delete;
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// False if stopped.
  bool iterate();

  const TrainingState& state() const { return state_; }
  const TrainingRecord& best() const { return state_.trace[state_.best]; }

 private:
  class Engine;
  template <std::size_t Ages>
  class EngineOf;

  void check_state(std::size_t dimension) const;
  bool begin();
  bool add(TrainingRecord record, Policy orders);

  const Model& model_;
  Criterion criterion_;
  TrainingOptions options_;
  Execution execution_;
  TrainingState state_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> is_stopped_ = false;  ///< since the current iteration began
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
