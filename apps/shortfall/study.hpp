#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command_model.hpp"
#include "apps/shortfall/options.hpp"
#include "report/rows.hpp"
#include "shortfall/formats/model_file.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "studies/model_study.hpp"

/// `shortfall study`: what was asked for, the model it is asked of, and what is printed.
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
};

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

/// The document of a study: what was asked for, and the tables of model_study.hpp, with values
/// in the sense of the model's file and ids of states as in it.
report::Json study_document(const StudyArguments& options, const StudyModel& model,
                            const ModelNames& names, const studies::ModelStudyTables& tables);

/// Two tables for a terminal, what diverged, and why convergence is not guaranteed.
std::string study_text(const StudyArguments& options, const StudyModel& model,
                       const studies::ModelStudyTables& tables);

}  // namespace shortfall::app
