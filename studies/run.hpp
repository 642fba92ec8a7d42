#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "study.hpp"

namespace shortfall::studies {

/// How far a study has come, in the seconds that its parts say they take.
struct Progress {
  std::string part;      ///< that is being computed, or was the last
  double done = 0.0;     ///< by this run
  double skipped = 0.0;  ///< because an earlier run had done it
};

/// Where a study keeps its files:
///
///   NAME.json            what it found, once it is done
///   csv/NAME-TABLE.csv   its tables
///   parts/NAME/PART.json what is computed so far; gone once the study is done
struct RunOptions {
  std::filesystem::path directory;
  StudyOptions study = {};
  std::function<void(const Progress&)> on_progress = {};  ///< from any thread, one call at a time
};

/// Whether NAME.json is there, of the same options and version, and as it was written.
bool is_done(const Study& study, const RunOptions& options);

/// The document of a study: read where it is done, else computed, part by part. Parts that an
/// earlier run of the same options and version left behind are not computed again; others are, and
/// those that are not as they were written.
/// Every file appears whole or not at all. Throws OutputError where one cannot be written.
Json run(const Study& study, const RunOptions& options);

}  // namespace shortfall::studies
