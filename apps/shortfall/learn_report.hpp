#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "apps/shortfall/learn_arguments.hpp"
#include "shortfall/formats/stream_run.hpp"

/// The result of `learn` as text and as JSON, once the number of features is known.
namespace shortfall::app {

struct LearnResult {
  const learn::StreamRun& run;
  const IntervalRequest& intervals;
  std::string_view stopped_by;  ///< the name of a signal; empty: none
};

nlohmann::json learning_json(const LearnResult& result);
std::string learning_text(const LearnResult& result);

/// What is known now, for --report-every: one line.
nlohmann::json report_json(const LearnResult& result);

/// Adds the values and intervals that are asked for: values, and with a level confidence,
/// interval_status, standard_error by weight, low and high, null where there is no interval yet.
void add_intervals(nlohmann::json& document, const learn::AnyLearner& learner,
                   const IntervalRequest& request);

/// Whether the stream ended without a row to learn from, now or before the checkpoint.
bool has_no_row(const LearnResult& result);

}  // namespace shortfall::app
