#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shortfall/mdp/visits.hpp"
#include "shortfall/monitor/monitor.hpp"
#include "studies/learner_theory.hpp"
#include "studies/learning_problem.hpp"
#include "studies/model_study.hpp"

namespace shortfall::studies {

/// The columns that say to which setting a row belongs.
struct StudyKeys {
  std::string features;
  std::string loss;
  double gamma;

  template <class Row>
  void put(Row& row) const {
    row.features = features;
    row.loss = loss;
    row.gamma = gamma;
  }
};

/// The runs of one learner in one setting, without the keys of the setting.
struct StudiedRuns {
  std::vector<StudyPoint> curve;
  StudyEnd end;
  LearnerLimit limit;
};

/// Runs the learner from its initial θ. Run r draws from stream r of the seed, whatever the
/// learner, so that all of them see the same paths. Nothing if stopped.
std::optional<StudiedRuns> study_learner(const LearningProblem& problem, const Restarts& restarts,
                                         const StudiedLearner& learner,
                                         const ModelStudyOptions& options, const Monitor& monitor);

}  // namespace shortfall::studies
