#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/formats/stream_run.hpp"

namespace shortfall::app {

/// The values and intervals that `learn` and `show` are asked for.
struct IntervalRequest {
  std::optional<double> level = {};  ///< none: no intervals, and values alone
  std::optional<learn::IntervalMethod> method = {};
  io::FeatureRows at = {};  ///< states whose values are wanted
};

struct LearnOptions : GeneralOptions {
  std::string file = "-";
  learn::StreamOptions run = {.learner = {.loss = Mean(), .gamma = 0.0, .lambda = 0.5}};
  double checkpoint_every = 5.0;   ///< seconds
  std::uint64_t report_every = 0;  ///< updates; 0: no reports
  bool accept_replay = false;
  bool as_published = false;
  IntervalRequest intervals = {};
  std::string at;  ///< the file of states; empty: none
  bool clip_costs = false;
  LogFormat log = LogFormat::text;
};

/// Whether predictions go to standard output, so that the result cannot.
bool prints_predictions(const LearnOptions& options);

/// --confidence, --at and --interval-method, and checks of their values. The file of states, `at`,
/// is read once all are given.
void add_interval_options(const Grammar& grammar, IntervalRequest& asked, std::string& at);

/// Whether such a learner has intervals. Throws InvalidInput otherwise.
void check_intervals(const learn::LearnerOptions& learner, const IntervalRequest& asked);

/// The options of `learn` and their checks. `options` must outlive the grammar.
void add_learn_options(const Grammar& grammar, LearnOptions& options);

}  // namespace shortfall::app
