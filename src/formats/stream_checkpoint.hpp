#pragma once

#include <cstddef>

#include "checkpoint/resumable_run.hpp"
#include "formats/predictions_file.hpp"
#include "shortfall/formats/stream_run.hpp"

namespace shortfall::learn {

inline constexpr auto stream_checkpoint_kind = "learn";

/// What a checkpoint of a StreamRun holds, in this order; a block with the state of the drift watch
/// and of the learner follows.
struct StreamCheckpoint {
  io::StreamPosition position;
  io::RecordedOptions options;
  io::PredictionsFile::Extent predictions;

  template <class Archive>
  void archive(Archive& state) {
    position.archive(state);
    io::archive(state, options);
    predictions.archive(state);
  }
};

/// The options that must not change when a run resumes, for a stream of `dimension` features, in
/// the order and with the names of the file. Throws InvalidInput if they cannot be recorded.
io::RecordedOptions recorded_options(const StreamOptions& options, std::size_t dimension);

/// Throws ChangedOption for the first option in which the run differs from its checkpoint, among
/// those that its algorithm has.
void check_same_options(const io::ResumableRun& run, const StreamOptions& options,
                        const StreamCheckpoint& saved);

/// The options of the learner among them. Throws InvalidInput if one is missing or invalid.
LearnerOptions learner_options(const io::RecordedOptions& recorded);

/// Throws InvalidInput if checkpoints of such a learner do not fit into memory.
void check_checkpoint_memory(Algorithm algorithm, std::size_t dimension);

/// Throws InvalidInput if fewer bytes are left than such a learner has: before a learner of a
/// forged dimension takes memory.
void check_learner_size(const io::StateReader& state, Algorithm algorithm, std::size_t dimension);

/// All that a checkpoint holds.
struct SavedStream {
  StreamCheckpoint checkpoint;
  DriftWatch drift;
  AnyLearner learner;
};

/// Reads it without its stream, after the kind was read. Throws InvalidInput if the state is not
/// that of the learner of its options.
SavedStream read_saved_stream(io::StateReader& state);

}  // namespace shortfall::learn
