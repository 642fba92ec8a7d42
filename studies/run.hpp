#pragma once

#include <any>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/resumable_run.hpp"
#include "shortfall/monitor/monitor.hpp"
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
};

/// A study in its directory. The constructor reads, once, what earlier runs with the same options
/// and sources left there and what is unchanged since it was written: the document or, if there is
/// none, the results of parts.
class StudyRun {
 public:
  /// Refers to `study`.
  StudyRun(const Study& study, RunOptions options);

  const Study& study() const { return study_; }
  std::filesystem::path document_path() const;
  bool is_done() const { return document_.has_value(); }
  double seconds_left() const;  ///< estimated, of the parts without a result

  /// Computes the parts without a result, one after the other, and writes tables and document.
  /// Every file appears complete or not at all. Returns the document, or nothing if stopped: a
  /// later run goes on. The monitor is called with the name of the part and the fraction done of
  /// what was left, by the estimated seconds. Throws OutputError if a file cannot be written or
  /// removed.
  std::optional<Json> finish(const Monitor& monitor = {});

 private:
  std::filesystem::path parts_directory() const;
  std::string checkpoint_of(const Part& part) const;
  io::RecordedOptions recorded(const Part& part) const;
  std::any saved_result(const Part& part) const;
  void compute_parts(const Monitor& monitor);
  std::any compute_part(const Part& part, const OnProgress& on_progress) const;
  void write_results();

  const Study& study_;
  RunOptions options_;
  Json identity_;
  std::optional<Json> document_ = {};
  std::vector<std::any> results_ = {};  ///< by part; empty: not computed yet
};

/// Removes the checkpoints of the study's parts from the directory. Throws OutputError.
void remove_parts(const Study& study, const std::filesystem::path& directory);

}  // namespace shortfall::studies
