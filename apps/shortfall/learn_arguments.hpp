#pragma once

#include <string>

#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/learn_run.hpp"
#include "apps/shortfall/notices.hpp"

namespace shortfall::app {

struct LearnOptions : GeneralOptions, LearnRunOptions {
  bool accept_replay = false;
  bool as_published = false;
  std::string at;  ///< the file of states; empty: none
  LogFormat log = LogFormat::text;
};

/// The options of `learn` and their checks. `options` must outlive the grammar.
void add_learn_options(const Grammar& grammar, LearnOptions& options);

}  // namespace shortfall::app
