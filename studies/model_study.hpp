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
#include "shortfall/monitor.hpp"
#include "studies/model_study_rows.hpp"
#include "studies/studied_learner.hpp"

/// Learners on a model of one's own, beside its exact value: every combination of features,
/// discount factor and loss is a setting, and every learner runs in every setting.
namespace shortfall::studies {

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
