#pragma once

#include <cstddef>

#include "checkpoint/resumable_run.hpp"
#include "formats/growing_csv.hpp"
#include "shortfall/formats/stream_run.hpp"

namespace shortfall::learn {

inline constexpr auto stream_checkpoint_kind = "learn";

/// How far a checkpoint covers the files that grow with the stream.
struct StreamFiles {
  io::GrowingCsv::Extent predictions, bad_rows;
};

/// What a checkpoint of a StreamRun holds, in this order; a block with the state of the drift watch
/// and of the learner follows.
struct StreamCheckpoint {
  io::StreamPosition position;
  io::RecordedOptions options;
  StreamFiles files;
  OutlierWatch outliers;

  template <class Archive>
  void archive(Archive& state) {
    position.archive(state);
    io::archive(state, options);
    files.predictions.archive(state);
    if (state.version() < 3) return;  // written by 0.2.0
    position.archive_counts(state);
    files.bad_rows.archive(state);
    outliers.archive(state);
  }
};

/// All options of a run that a checkpoint records, for a stream of `dimension` features, in the
/// order and with the names of the file. Throws InvalidInput if they cannot be recorded.
io::RecordedOptions recorded_options(const StreamOptions& options, std::size_t dimension);

/// Throws ChangedOption for the options in which the run differs from its checkpoint, among those
/// that its algorithm has and that decide what is learned: they must not change when a run resumes.
/// The rows and files may: bad rows, costs, predictions and the false-alarm rate.
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
