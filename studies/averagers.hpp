#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/library.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// The features of random models, all nonnegative with sums of 1. States are points of [0, 1] in
/// equal distances.
///
///   aggregation   groups of neighbours
///   hats          linear interpolation on a grid
///   radial        Gaussian functions around the points of a grid, divided by their sum
///   stochastic    rows drawn evenly from all probability vectors
inline constexpr std::array<std::string_view, 4> averager_features = {"aggregation", "hats",
                                                                      "radial", "stochastic"};

/// One of each kind of loss. At τ = 0.99 and for the exponential losses the paper's condition
/// allows γ up to 0.01, 0 and 0.02.
inline constexpr std::array<std::string_view, 6> averager_losses = {
    "mean",
    "expectile:0.99",
    "entropic:0.1",
    "truncated-entropic:0.5,4",
    "soft-quantile:0.9,2",
    "piecewise:-1:-0.5,0:0,1:2,3:9"};

inline constexpr std::array<double, 4> averager_discounts = {0.8, 0.95, 0.99, 0.999};

/// A random model: 6 to 14 states with up to four successors, among the neighbours or anywhere, and
/// costs in [-1.5, 1.5], one part by state and one by outcome; 2 to 5 features.
struct AveragerProblem {
  Chain chain;
  std::vector<double> q;  ///< stationary
  Eigen::MatrixXd phi;
};

/// Model number `model` of a kind of features: the same for every loss and discount.
AveragerProblem averager_problem(std::string_view features, std::uint64_t seed,
                                 std::uint64_t model);

/// All models of one kind of features, for one loss and discount. Errors are those of the limits,
/// Φθ*, from the exact value, over its standard deviation in the long run; medians are over models.
/// "Both" are models on which TD settles, too.
struct AveragerModelsRow {
  std::string features = {};
  std::string loss = {};
  double gamma = 0.0;
  std::size_t models = 0;
  /// A certified fixed point of K was found; within 1e-9 of the largest possible value.
  std::size_t averager_settles = 0;
  int most_iterations = 0;
  /// The mean field from 0 leads TD to a root that attracts (eigenvalues of the Jacobian).
  std::size_t td_settles = 0;
  std::size_t td_undecided = 0;  ///< the search for the root gave up
  bool td_condition = false;     ///< γ is below the sharp limit, so that TD must settle
  double averager_error = 0.0;   ///< median over both, by long-run frequency
  double td_error = 0.0;
  double averager_largest_error = 0.0;  ///< median over both of the largest over states
  double td_largest_error = 0.0;
  double averager_error_elsewhere = 0.0;  ///< median where TD does not settle; none: infinity
  std::size_t averager_closer = 0;        ///< models of "both" where it is, by long-run frequency
  std::size_t bound_violations = 0;
  double error_by_bound = 0.0;  ///< median of the largest error over its bound
  double largest_error_by_bound = 0.0;
  double error_by_oscillation_bound = 0.0;  ///< the same for osc V / (1-γ)
  /// Steps of the mean field that came less close to the fixed point than proved, of
  /// `recursion_steps`.
  std::size_t recursion_violations = 0;
  std::size_t recursion_steps = 0;
  double largest_td_difference = 0.0;  ///< between the two limits, over the deviation of the value
  SHORTFALL_RECORD(features, loss, gamma, models, averager_settles, most_iterations, td_settles,
                   td_undecided, td_condition, averager_error, td_error, averager_largest_error,
                   td_largest_error, averager_error_elsewhere, averager_closer, bound_violations,
                   error_by_bound, largest_error_by_bound, error_by_oscillation_bound,
                   recursion_violations, recursion_steps, largest_td_difference)
};

/// For each kind of features.
std::size_t averager_model_count(Scale scale);

/// All losses and discounts, for `count` models of one kind of features.
std::vector<AveragerModelsRow> averager_models(std::string_view features, std::size_t count,
                                               const StudyOptions& options,
                                               const OnProgress& on_progress);

/// A weight on the counterexample, by iteration: the value of the state with the larger feature, as
/// features are divided by it. The exact one is 0.
struct AveragerPathRow {
  double p = 0.0;
  std::string root = {};
  std::string algorithm = {};
  double start = 0.0;
  std::uint64_t iteration = 0;
  double theta = 0.0;
  SHORTFALL_RECORD(p, root, algorithm, start, iteration, theta)
};

/// TD and averager TD on the same path, with the same steps, from several starts.
std::vector<AveragerPathRow> averager_paths(double p, library::DeltaRoot root,
                                            const StudyOptions& options);

/// Runs on random models with independent samples: means of the last half of the iterates beside
/// K's fixed point. A score is the difference of Σ m_i θ_i, divided by its asymptotic deviation.
struct AveragerRunsRow {
  std::string loss = {};
  double gamma = 0.0;
  std::uint64_t updates = 0;
  std::size_t runs = 0;
  std::size_t averager_diverged = 0;
  std::size_t td_diverged = 0;
  std::size_t outside_box = 0;     ///< iterates of averager TD outside the interval that is proved
  double mean_square_score = 0.0;  ///< 1 where the asymptotic covariance holds
  double largest_score = 0.0;      ///< by size
  double within_95 = 0.0;          ///< share of scores up to 1.96
  SHORTFALL_RECORD(loss, gamma, updates, runs, averager_diverged, td_diverged, outside_box,
                   mean_square_score, largest_score, within_95)
};

struct AveragerRunScale {
  std::size_t models = 0;  ///< for each kind of features
  std::uint64_t updates = 0;
};
AveragerRunScale averager_run_scale(Scale scale);

std::vector<AveragerRunsRow> averager_runs(const AveragerRunScale& scale,
                                           const StudyOptions& options,
                                           const OnProgress& on_progress);

/// All tables of the study; a part fills some of them.
struct AveragerTables {
  std::vector<AveragerPathRow> paths = {};
  std::vector<AveragerModelsRow> models = {};
  std::vector<AveragerRunsRow> runs = {};
  SHORTFALL_RECORD(paths, models, runs)
};

/// Our statements about averagers, checked by the tables. Statements about all models stay open
/// with fewer of them than the full scale has, unless one refutes them.
std::vector<Finding> averager_findings(const AveragerTables& tables);

}  // namespace shortfall::studies
