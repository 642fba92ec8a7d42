#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/model_names.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::app {

/// The options of `study`. An empty list: what belongs to the model, or the default.
struct StudyArguments : GeneralOptions {
  std::string model;
  std::vector<AnyLoss> losses;
  std::vector<double> gammas;
  std::vector<std::string> algorithms;
  std::vector<std::string> features;
  PolicyOptions policy;
  NameFiles names;
  learn::AnyStep step;
  std::optional<double> lambda;
  std::optional<std::uint64_t> warmup;
  std::optional<std::uint64_t> average_from;
  double initial = 0.0;
  std::string start;
  double restart = 0.0;
  std::uint64_t samples = 100'000;
  std::uint64_t replications = 20;
  double confidence = 0.95;
  std::string out;
  std::string svg;  ///< empty: no pictures
};

/// The options and their checks. `options` must outlive the grammar.
void add_study_options(const Grammar& grammar, StudyArguments& options);

}  // namespace shortfall::app
