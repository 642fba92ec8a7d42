#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/learn/any_learner.hpp"
#include "shortfall/names/names.hpp"

/// How a training evaluates orders from samples: what Wang and Delage say about it in section 6.2,
/// what they leave open, and what this library does instead.
namespace shortfall::inventory {

/// The features that learners work in; all span the same functions.
enum class StockNormalisation {
  orthonormal,  ///< on the stocks of a first path
  largest,      ///< each divided by its largest absolute value over all stocks
  standard,     ///< mean 0 and deviation 1 over all stocks, except for constants
  none
};
inline constexpr Names<StockNormalisation, 4> stock_normalisation_names{
    {{"orthonormal", StockNormalisation::orthonormal},
     {"largest", StockNormalisation::largest},
     {"standard", StockNormalisation::standard},
     {"none", StockNormalisation::none}}};

/// How samples become trajectories.
enum class SamplePaths {
  restarted,  ///< each begins at a start of its own, and again with probability 0.9 (1 - γ²)
  separate,   ///< each begins at a start of its own
  divided     ///< one path, cut into trajectories
};
inline constexpr Names<SamplePaths, 3> sample_paths_names{{{"restarted", SamplePaths::restarted},
                                                           {"separate", SamplePaths::separate},
                                                           {"divided", SamplePaths::divided}}};

enum class PathStart {
  delivery,  ///< what is left of a delivery of random size, on a random day
  empty,     ///< no stock, on the first day
  uniform    ///< any stock and day, all equally likely
};
inline constexpr Names<PathStart, 3> path_start_names{{{"delivery", PathStart::delivery},
                                                       {"empty", PathStart::empty},
                                                       {"uniform", PathStart::uniform}}};

/// The weights with which the first evaluation begins.
enum class FirstWeights {
  non_perishable,  ///< V = V̂, the value if nothing perished
  zero
};
inline constexpr Names<FirstWeights, 2> first_weights_names{
    {{"non-perishable", FirstWeights::non_perishable}, {"zero", FirstWeights::zero}}};

/// The weights with which later evaluations begin.
enum class NextWeights {
  carried,  ///< those of the evaluation before
  first     ///< those of the first evaluation
};
inline constexpr Names<NextWeights, 2> next_weights_names{
    {{"carried", NextWeights::carried}, {"first", NextWeights::first}}};

/// The simulated transitions of a sampled improvement.
enum class ImprovementDraws {
  stratified,  ///< the same for all stocks and orders, with demand spread evenly
  per_state,   ///< new ones for each stock, the same for all its orders
  per_order    ///< new ones for each stock and order
};
inline constexpr Names<ImprovementDraws, 3> improvement_draws_names{
    {{"stratified", ImprovementDraws::stratified},
     {"per-state", ImprovementDraws::per_state},
     {"per-order", ImprovementDraws::per_order}}};

/// A trajectory of Newton whose matrix has no inverse after the warm-up.
enum class SingularTrajectories {
  keep_waiting,  ///< goes on, and counts if there is an inverse at its end
  discarded      ///< ends and does not count
};

/// The two kinds of evaluation.
enum class EvaluationKind { restarted, published };
inline constexpr Names<EvaluationKind, 2> evaluation_kind_names{
    {{"restarted", EvaluationKind::restarted}, {"published", EvaluationKind::published}}};

/// By default ours: `restarted`.
struct EvaluationMethod {
  EvaluationKind kind = EvaluationKind::restarted;  ///< what the other members began with
  StockNormalisation normalisation = StockNormalisation::orthonormal;
  /// The steps of TD, which then reports its last iterate. None: the steps are fitted to the
  /// problem, and the iterates of the second half are averaged; see learn::EvaluationOptions.
  std::optional<learn::AnyStep> step = {};
  SamplePaths paths = SamplePaths::restarted;
  PathStart start = PathStart::delivery;
  FirstWeights first_weights = FirstWeights::non_perishable;
  NextWeights next_weights = NextWeights::carried;
  ImprovementDraws draws = ImprovementDraws::stratified;
  SingularTrajectories singular = SingularTrajectories::keep_waiting;
};

/// `restarted`: the defaults above. `published`: the paper where it is explicit: one path of
/// samples under the current orders, divided into trajectories without restarts; normalised
/// features; the last iterate of each trajectory, averaged over trajectories; singular trajectories
/// discarded; simulated transitions for each state. What it leaves open is chosen as follows, and
/// each can be changed: steps 2/(n + 100)^(2/3) and weights that begin at 0, as in its section 6.1
/// on other models; weights carried over from one evaluation to the next; features divided by their
/// largest value; a path from the empty stock; transitions of a state shared by its orders.
EvaluationMethod evaluation_method(EvaluationKind kind);

/// The members by name and as text, in the words of the command line.
std::vector<std::pair<std::string, std::string>> described(const EvaluationMethod& method);

}  // namespace shortfall::inventory
