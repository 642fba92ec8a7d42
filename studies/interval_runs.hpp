#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/interval_problem.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

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
  double least_coverage = 0.0;     ///< in one state ..
  double least_visits = 0.0;       ///< .. which is visited so often in n updates, on average
  double width = 0.0;              ///< mean, over that of an interval with the deviation
  double median_width = 0.0;       ///< instead of the mean over runs
  double error = 0.0;              ///< root mean square, over the deviation
  double median_error = 0.0;       ///< the median size of an error over that of the normal law
  double largest_error = 0.0;      ///< in one state
  double largest_bias = 0.0;       ///< size of the mean error over the deviation, in one state
  double not_yet = 0.0;            ///< share of intervals ..
  double short_batches = 0.0;      ///< .. with this status
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

}  // namespace shortfall::studies
