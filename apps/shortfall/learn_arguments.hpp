#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/formats/stream_run.hpp"

namespace shortfall::app {

/// What `learn --confidence` asks for.
struct IntervalRequest {
  std::optional<double> level = {};  ///< none: nothing is asked for
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
  LogFormat log = LogFormat::text;
};

/// The options of `learn` and their checks. `options` must outlive the grammar.
void add_learn_options(const Grammar& grammar, LearnOptions& options);

}  // namespace shortfall::app
