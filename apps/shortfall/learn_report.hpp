#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/shortfall/learn_run.hpp"

/// The result of `learn` as text and as JSON, once the number of features is known.
namespace shortfall::app {

nlohmann::json learning_json(const LearnRun& run);
std::string learning_text(const LearnRun& run);

/// What is known now, for --report-every: one line.
nlohmann::json report_json(const LearnRun& run);

/// Whether the stream ended without a row to learn from, now or before the checkpoint.
bool has_no_row(const LearnRun& run);

}  // namespace shortfall::app
