#pragma once

#include <cstddef>
#include <string>

#include "apps/shortfall/drift_watch.hpp"
#include "apps/shortfall/predictions_file.hpp"
#include "checkpoint/resumable_run.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::app {

struct LearnRunOptions;

/// What a checkpoint of `learn` holds.
struct LearnCheckpoint {
  io::StreamPosition position;
  io::RecordedOptions options;
  PredictionsFile::Extent predictions;
  std::string learner;  ///< state of the alarm and of the learner; empty: there is no checkpoint

  template <class Archive>
  void archive(Archive& state) {
    position.archive(state);
    io::archive(state, options);
    predictions.archive(state);
    state(learner);
  }
};

inline constexpr auto learn_checkpoint_kind = "learn";

/// The options that must not change when a run resumes, for a stream of `dimension` features.
io::RecordedOptions recorded_options(const LearnRunOptions& options, std::size_t dimension);

/// The options of the learner among them: the inverse of recorded_options(). Throws InvalidInput if
/// one is missing or invalid.
learn::LearnerOptions learner_options(const io::RecordedOptions& recorded);

struct SavedLearner {
  learn::AnyLearner learner;
  DriftWatch drift;
};

/// The learner in a checkpoint; `name` is that of the file, for messages. Throws InvalidInput if
/// the state is not one of such a learner.
SavedLearner read_learner(const std::string& name, const LearnCheckpoint& checkpoint,
                          const learn::LearnerOptions& options);

/// Throws InvalidInput if the state of the learner is too short for its features: before a learner
/// of a forged dimension takes memory.
void check_learner_size(const LearnCheckpoint& checkpoint, learn::Algorithm algorithm);

/// Throws InvalidInput if checkpoints of such a learner do not fit into memory.
void check_checkpoint_memory(learn::Algorithm algorithm, std::size_t dimension);

}  // namespace shortfall::app
