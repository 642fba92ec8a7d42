#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "shortfall/formats/features_csv.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::app {

/// What `learn --confidence` asks for.
struct IntervalRequest {
  std::optional<double> level = {};  ///< none: nothing is asked for
  std::optional<learn::IntervalMethod> method = {};
  io::FeatureRows at = {};  ///< states whose values are wanted
};

/// Adds confidence, interval_status, standard_error by weight, and for the states values, low and
/// high; null where there is no interval yet.
void add_intervals(nlohmann::json& document, const learn::AnyLearner& learner,
                   const IntervalRequest& request);

/// The standard error of a weight, from 0, or "not yet".
std::string standard_error_text(const learn::AnyLearner& learner, std::size_t weight,
                                const IntervalRequest& request);

/// The states' values with their intervals, as a table, and what is to be said of them.
std::string intervals_text(const learn::AnyLearner& learner, const IntervalRequest& request);

}  // namespace shortfall::app
