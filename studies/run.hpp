#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "studies/study.hpp"

namespace shortfall::studies {

/// Progress of a study, in the estimated seconds of its parts.
struct Progress {
  std::string part;      ///< the current or last part
  double done = 0.0;     ///< by this run
  double skipped = 0.0;  ///< done by an earlier run
};

/// Where a study keeps its files:
///
///   NAME.json            its results, once it is done
///   csv/NAME-TABLE.csv   its tables
///   parts/NAME/PART.json results so far; removed once the study is done
struct RunOptions {
  std::filesystem::path directory;
  StudyOptions study = {};
  std::function<void(const Progress&)> on_progress = {};  ///< from any thread, one call at a time
};

/// Whether NAME.json exists, with the same options, from the same sources, and unchanged since it
/// was written.
bool is_done(const Study& study, const RunOptions& options);

/// The document of a study: read if it is done, otherwise computed part by part. Parts that an
/// earlier run with the same options and sources left behind are reused if unchanged since they
/// were written; all others are computed. Every file appears complete or not at all. Throws
/// OutputError if one cannot be written.
Json run(const Study& study, const RunOptions& options);

}  // namespace shortfall::studies
