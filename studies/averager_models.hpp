#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "studies/averager_problem.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

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
  std::size_t averager_closer = 0;        ///< of both, by long-run frequency
  std::size_t bound_violations = 0;
  double error_by_bound = 0.0;  ///< median of the largest error over its bound
  double largest_error_by_bound = 0.0;
  double error_by_oscillation_bound = 0.0;  ///< the same for osc V / (1-γ)
  /// Steps of the mean field that came less close to the fixed point than proved, of
  /// `recursion_steps`.
  std::size_t recursion_violations = 0;
  std::size_t recursion_steps = 0;
  double largest_td_difference = 0.0;  ///< of the two limits over the value's deviation, if both
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

}  // namespace shortfall::studies
