#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/learn/interval.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/theory/asymptotic_covariance.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// The chains on which intervals are tried:
///
///   random     ten states, which mixes at once: library::random_mdp of seed 5, γ = 0.9
///   walk       twenty states, which mixes slowly: moves -1, 0, 1 with 0.4, 0.2, 0.4, held at the
///              ends, γ = 0.9
///   platelets  the stocks of shelf life 3 and capacity 5 that base-stock 4 reaches from the empty
///              one, some of them rarely, γ = 0.6
inline constexpr std::array<std::string_view, 3> interval_chains = {"random", "walk", "platelets"};

/// What θ weighs: one feature per state, which holds every value, or fewer: 4 orthonormal ones on
/// the random chain, 5 groups of four neighbours on the walk, and the polynomials of degree 2 on
/// the stocks.
inline constexpr std::array<std::string_view, 2> interval_features = {"one per state", "fewer"};

struct IntervalSetting {
  std::string chain = {};
  std::string features = {};
  double tau = 0.5;  ///< level of the expectile
};

/// A setting with its limit θ* and the covariance of √n (θ_n - θ*), both computed without sampling.
struct IntervalProblem {
  IntervalSetting setting;
  double gamma;
  AnyLoss loss;
  Chain chain;
  Eigen::MatrixXd phi;
  std::vector<double> q = {};
  Eigen::VectorXd limit = {};
  theory::AsymptoticCovariance asymptotic = {};

  Eigen::VectorXd values() const { return phi * limit; }
  /// Standard deviations of φ(x)ᵀθ_n by state, times √n.
  Eigen::VectorXd deviations() const;
  /// The coverage, for large n, of 95 % intervals from C_0 in place of Γ: in the worst state.
  double least_coverage_without_autocovariances() const;
};

IntervalProblem interval_problem(const IntervalSetting& setting);

/// Half the width of a 95 % interval, in standard deviations.
inline constexpr double normal_quantile_95 = 1.959963984540054;

/// A setting as a row.
struct IntervalSettingRow {
  std::string chain = {};
  std::string features = {};
  double tau = 0.0;
  std::size_t states = 0;
  std::size_t d = 0;
  double gamma = 0.0;
  double least_probability = 0.0;  ///< of a state, in the long run
  double least_coverage_without_autocovariances = 0.0;
  SHORTFALL_RECORD(chain, features, tau, states, d, gamma, least_probability,
                   least_coverage_without_autocovariances)
};

/// What the runs of one learner in one setting gave after n updates. Means and extremes are over
/// states; "deviation" is that of the asymptotic covariance.
struct IntervalCell {
  std::string chain = {};
  std::string features = {};
  double tau = 0.0;
  std::size_t d = 0;
  std::uint64_t n = 0;
  std::string algorithm = {};  ///< newton, newton-as-published or averaged-td
  std::string method = {};     ///< of the interval; none for newton-as-published
  std::size_t runs = 0;
  double coverage = 0.0;  ///< share of the intervals that hold φ(x)ᵀθ*; infinity: no interval
  double least_coverage = 0.0;     ///< in the state where it is least
  double least_visits = 0.0;       ///< of that state in n updates, on average
  double width = 0.0;              ///< mean, over that of an interval with the deviation
  double median_width = 0.0;       ///< instead of the mean over runs
  double error = 0.0;              ///< root mean square, over the deviation
  double median_error = 0.0;       ///< the median size of an error over that of the normal law
  double largest_error = 0.0;      ///< in one state
  double largest_bias = 0.0;       ///< size of the mean error over the deviation, in one state
  double not_yet = 0.0;            ///< share of intervals with this status
  double short_batches = 0.0;      ///< share of intervals with this status
  double batch_correlation = 0.0;  ///< mean, of successive batches
  SHORTFALL_RECORD(chain, features, tau, d, n, algorithm, method, runs, coverage, least_coverage,
                   least_visits, width, median_width, error, median_error, largest_error,
                   largest_bias, not_yet, short_batches, batch_correlation)
};

/// The result of a part, for one setting; or of the study, for all.
struct IntervalTables {
  std::vector<IntervalSettingRow> settings = {};
  std::vector<IntervalCell> cells = {};
  SHORTFALL_RECORD(settings, cells)
};

/// How many paths there are, and along how many of them, the first ones, others learn beside
/// Newton: Newton as published, and on the random chain averaged TD.
struct IntervalScale {
  std::size_t runs;
  std::size_t published_runs;
  std::size_t td_runs;
  std::vector<std::uint64_t> updates;  ///< at which intervals are asked for
};
IntervalScale interval_scale(Scale scale);

/// Run r draws from stream r of the seed, so that the result does not depend on the number of
/// threads.
IntervalTables interval_runs(const IntervalProblem& problem, const IntervalScale& scale,
                             const StudyOptions& options, const OnProgress& on_progress);

/// All runs, for one state.
struct StateTally {
  std::size_t covered = 0;
  std::size_t not_yet = 0;
  std::size_t short_batches = 0;
  double batch_correlation = 0.0;        ///< sum over intervals
  std::vector<double> half_widths = {};  ///< of the intervals that exist
  std::vector<double> errors = {};
};

/// One algorithm and method after one number of updates.
struct CellTally {
  std::size_t runs = 0;
  std::vector<StateTally> states = {};

  void add(const CellTally& more);  ///< runs that came later
};

void add_interval(const learn::Interval& interval, double truth, StateTally& sum);

/// Writes coverage, widths and errors to the cell, beside the asymptotic deviations of n updates by
/// state; q is the long-run law of the states.
void summarise(const CellTally& tally, const Eigen::VectorXd& deviation,
               const std::vector<double>& q, IntervalCell& cell);

/// What 95 % intervals should do: hold the value in 93 to 97 % of runs on average over states, and
/// in no state in fewer than 92 %, at a width of at most 1.15 times that of the asymptotic
/// covariance. The error of an estimate should be within 1.1 times the asymptotic deviation.
namespace interval_goals {
inline constexpr double least_mean_coverage = 0.93;
inline constexpr double most_mean_coverage = 0.97;
inline constexpr double least_state_coverage = 0.92;
inline constexpr double most_width = 1.15;
inline constexpr double most_error = 1.1;
}  // namespace interval_goals

/// Rows of the table `misses`: the cells whose coverage misses the goals, and why.
Json interval_misses(const std::vector<IntervalCell>& cells);

/// Our statements about intervals, checked by the tables. Those about coverage are of the largest
/// n, and stay open with fewer runs or updates than the full scale has.
std::vector<Finding> interval_findings(const IntervalTables& tables);

}  // namespace shortfall::studies
