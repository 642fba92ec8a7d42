#pragma once

#include <filesystem>
#include <optional>

#include "shortfall/monitor.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// What becomes of the document of an earlier run.
enum class SavedDocument {
  reused,   ///< if it is of the same options and sources
  replaced  ///< and kept until the new one is complete
};

/// Where a study keeps its files:
///
///   NAME.json            its results, once it is done
///   csv/NAME-TABLE.csv   its tables
///   parts/NAME/          a checkpoint of each part; removed once the study is done
struct RunOptions {
  std::filesystem::path directory;
  SavedDocument saved = SavedDocument::reused;
  StudyOptions study = {};
  /// Called with the current part, and the fraction done of what was left to compute, by the
  /// estimated seconds of the parts.
  Monitor monitor = {};
};

/// Whether NAME.json exists, with the same options, from the same sources, and unchanged since it
/// was written.
bool is_done(const Study& study, const RunOptions& options);

/// The estimated seconds of the parts that run() would compute.
double seconds_left(const Study& study, const RunOptions& options);

/// Removes the checkpoints of the study's parts from the directory. Throws OutputError.
void remove_parts(const Study& study, const std::filesystem::path& directory);

/// The document of a study: read if it is done, otherwise computed part by part. Parts that an
/// earlier run with the same options and sources left behind are reused if unchanged since they
/// were written; all others are computed. Every file appears complete or not at all. Nothing if
/// stopped: a later run goes on. Throws OutputError if a file cannot be written or removed.
std::optional<Json> run(const Study& study, const RunOptions& options);

}  // namespace shortfall::studies
