#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/visits.hpp"
#include "shortfall/monitor/monitor.hpp"
#include "studies/record.hpp"
#include "studies/studied_learner.hpp"

/// The tables of a study of a model. Distances are in the norm of q, the long-run law of the states
/// in which updates are made. Infinity is null in JSON and empty in CSV: no such number, or a mean
/// over runs of which one diverged.
namespace shortfall::studies {

/// A setting: what was computed without sampling.
struct StudySetting {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::size_t d = 0;        ///< number of features
  std::size_t rank = 0;     ///< number of independent features
  std::size_t visited = 0;  ///< states with q > 0
  double value_norm = 0.0;  ///< ‖V‖_q
  std::string value_status = {};
  double value_error_bound = infinity;  ///< certified, in every state
  double projection_error = 0.0;        ///< ‖ΠV - V‖_q: no weights come closer
  double fixed_point_distance = 0.0;    ///< ‖Φθ* - V‖_q
  std::string fixed_point_status = {};
  double fixed_point_error_bound = infinity;  ///< of Φθ*; infinity: not certified
  double slope_min = 0.0;
  double slope_max = 0.0;
  double gamma_limit = 0.0;
  double sharp_gamma_limit = 0.0;
  bool condition_holds = false;  ///< γ < gamma_limit, the paper's condition for td
  SHORTFALL_RECORD(features, loss, gamma, d, rank, visited, value_norm, value_status,
                   value_error_bound, projection_error, fixed_point_distance, fixed_point_status,
                   fixed_point_error_bound, slope_min, slope_max, gamma_limit, sharp_gamma_limit,
                   condition_holds)
};

/// An assumption under which a learner is proven to converge: learner_theory.hpp.
struct StudyCondition {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::string algorithm = {};
  std::string assumption = {};
  bool holds = false;
  std::string reason = {};
  SHORTFALL_RECORD(features, loss, gamma, algorithm, assumption, holds, reason)
};

/// All runs of a learner after a number of updates. `low` and `high` are the quantiles 0.1 and 0.9
/// over runs.
struct StudyPoint {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::string algorithm = {};
  std::uint64_t updates = 0;
  double to_value = 0.0;  ///< mean of ‖Φθ_n - V‖_q
  double to_value_standard_error = 0.0;
  double to_value_median = 0.0;
  double to_value_low = 0.0;
  double to_value_high = 0.0;
  double to_limit = 0.0;  ///< mean of the distance from where the learner should end
  double to_limit_standard_error = 0.0;
  double to_limit_median = 0.0;
  double to_limit_low = 0.0;
  double to_limit_high = 0.0;
  std::size_t diverged = 0;  ///< runs so far
  std::size_t singular = 0;  ///< runs at this point
  SHORTFALL_RECORD(features, loss, gamma, algorithm, updates, to_value, to_value_standard_error,
                   to_value_median, to_value_low, to_value_high, to_limit, to_limit_standard_error,
                   to_limit_median, to_limit_low, to_limit_high, diverged, singular)
};

/// A learner at the end of its runs.
struct StudyEnd {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::string algorithm = {};
  bool guaranteed = false;  ///< all assumptions hold
  std::uint64_t updates = 0;
  std::size_t runs = 0;
  std::size_t diverged = 0;
  std::size_t singular = 0;
  double to_value = 0.0;
  double to_value_standard_error = 0.0;
  double to_value_median = 0.0;
  double to_limit = 0.0;
  double to_limit_standard_error = 0.0;
  double to_limit_median = 0.0;
  std::string limit = {};  ///< what kind of limit: learner_theory.hpp
  std::string limit_status = {};
  std::string stability = {};         ///< of the learner's mean-field ODE
  double limit_distance = 0.0;        ///< of the limit from V
  double updates_to_threshold = 0.0;  ///< until the median stays within 5 % of ‖V‖_q of V
  double coverage = 0.0;        ///< share of intervals that hold the limit; infinity: no intervals
  double least_coverage = 0.0;  ///< in one state
  double intervals = 0.0;       ///< share of runs and states that have an interval
  SHORTFALL_RECORD(features, loss, gamma, algorithm, guaranteed, updates, runs, diverged, singular,
                   to_value, to_value_standard_error, to_value_median, to_limit,
                   to_limit_standard_error, to_limit_median, limit, limit_status, stability,
                   limit_distance, updates_to_threshold, coverage, least_coverage, intervals)
};

/// A state in a setting.
struct StudyValue {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::size_t state = 0;  ///< index from 0
  double q = 0.0;
  double value = 0.0;                 ///< V
  double projection = 0.0;            ///< ΠV
  double fixed_point = 0.0;           ///< Φθ*
  double averager_fixed_point = 0.0;  ///< of averagers; infinity: none is studied, or not computed
  SHORTFALL_RECORD(features, loss, gamma, state, q, value, projection, fixed_point,
                   averager_fixed_point)
};

struct ModelStudyTables {
  std::vector<StudySetting> settings = {};
  std::vector<StudyCondition> conditions = {};
  std::vector<StudyEnd> ends = {};
  std::vector<StudyPoint> curves = {};
  std::vector<StudyValue> values = {};
  SHORTFALL_RECORD(settings, conditions, ends, curves, values)
};

// Learners on a model of one's own, beside its exact value: every combination of features,
// discount factor and loss is a setting, and every learner runs in every setting.

/// Features by name: a row per state. Without columns: one feature per state that is visited.
struct StudiedFeatures {
  std::string name;
  Eigen::MatrixXd phi = {};
};

struct ModelStudyOptions {
  std::vector<AnyLoss> losses;
  std::vector<double> gammas;
  std::vector<StudiedFeatures> features;
  std::vector<StudiedLearner> learners;
  /// The chain under the policy that is evaluated, which may depend on the criterion.
  std::function<Chain(const Criterion&)> chain_under;
  std::optional<StateIndex> start = {};  ///< none: anywhere, with equal probabilities
  double restart = 0.0;                  ///< probability of a restart after any step
  std::uint64_t samples = 100'000;       ///< updates of each run
  std::size_t replications = 20;
  double confidence = 0.95;  ///< of intervals
  std::uint64_t seed = 1;    ///< all learners see the same paths
  int threads = 0;
  StateIndex state_base = 0;  ///< added to states in texts
  Monitor monitor = {};       ///< called with the fraction that is done
};

/// Throws InvalidInput for features of another number of states, and for more than four million
/// numbers, states times features.
void check_feature_sizes(const std::vector<StudiedFeatures>& given, std::size_t states);

/// The same for any number of threads. Nothing if stopped. Throws InvalidInput for features that do
/// not fit the model, and for γ = 1 where a state can be visited twice before the end, and
/// std::runtime_error if the exact value cannot be computed.
std::optional<ModelStudyTables> model_study(const ModelStudyOptions& options);

}  // namespace shortfall::studies
