#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/study_arguments.hpp"
#include "shortfall/formats/model_file.hpp"
#include "studies/model_study.hpp"

namespace shortfall::app {

/// A model with what a study needs: from the options or, where they do not say, from the library.
struct StudyModel {
  std::string name;
  std::string about;  ///< of a library model
  io::LoadedModel loaded;
  std::vector<AnyLoss> losses;
  std::vector<double> gammas;
  std::vector<studies::StudiedFeatures> features;
  std::string policy;  ///< "optimal", "uniform", a file, "of the library" or "the only one"
  std::function<Chain(const Criterion&)> chain_under;  ///< refers to this object
  std::optional<StateIndex> start;                     ///< none: uniform
};

/// Throws InvalidInput where something is missing or does not fit. `model` must stay in place.
void read_study_model(const StudyArguments& options, StudyModel& model);

/// Throws InvalidInput for features that are too many, and with the file's line for those that are
/// no averager if one of the learners is.
void check_study_features(const std::vector<studies::StudiedLearner>& learners,
                          const StudyModel& model);

}  // namespace shortfall::app
