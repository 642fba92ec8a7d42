#include "studies/run.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "files/atomic_file.hpp"
#include "studies/saved_document.hpp"
#include "studies/source_hash.hpp"

namespace shortfall::studies {
namespace {

namespace fs = std::filesystem;

/// What a result is and depends on: the beginning of every document.
Json identity_of(const Study& study, const StudyOptions& options) {
  return {{"study", study.name},
          {"title", study.title},
          {"question", study.question},
          {"source", study.source},
          {"scale", to_string(options.scale)},
          {"seed", options.seed},
          {"version", SHORTFALL_VERSION},
          {"source_hash", source_hash()}};
}

/// One run of a study in its directory.
class Work {
 public:
  Work(const Study& study, const RunOptions& options)
      : study_(study),
        options_(options),
        identity_(identity_of(study, options.study)),
        parts_directory_(options.directory / "parts" / study.name) {}

  std::optional<Json> document() const {
    std::optional<Json> saved = load_document(document_path(), identity_);
    return saved && is_study_document(*saved) ? saved : std::nullopt;
  }

  Json compute() {
    io::make_directory(parts_directory_.string());
    std::vector<Json> parts;
    for (const Part& part : study_.parts) parts.push_back(result_of(part));
    Json document = identity_;
    document.update(Json(study_.conclude(parts)));
    return write(document);
  }

 private:
  fs::path document_path() const { return options_.directory / (study_.name + ".json"); }

  Json result_of(const Part& part) {
    const fs::path path = parts_directory_ / (part.name + ".json");
    progress_.part = part.name;
    Json document = identity_;
    document["part"] = part.name;
    const std::optional<Json> saved = load_document(path, document);
    if (saved && saved->contains("result") && study_.conclude.accepts(saved->at("result"))) {
      progress_.skipped += part.seconds;
      report_progress(0.0);
      return saved->at("result");
    }
    document["result"] =
        part.compute([&](double fraction) { report_progress(fraction * part.seconds); });
    document = save_document(path, std::move(document), Layout::one_line);
    progress_.done += part.seconds;
    report_progress(0.0);
    return document["result"];
  }

  /// `more`: seconds done of the current part.
  void report_progress(double more) const {
    if (!options_.on_progress) return;
    Progress progress = progress_;
    progress.done += more;
    options_.on_progress(progress);
  }

  /// Writes the document last: if it exists, everything does.
  Json write(const Json& document) const {
    const fs::path csv = options_.directory / "csv";
    io::make_directory(csv.string());
    for (const auto& [name, rows] : document["tables"].items()) {
      const std::string file = fmt::format("{}-{}.csv", study_.name, name);
      io::write_file((csv / file).string(), report::csv_of(rows));
    }
    Json saved = save_document(document_path(), document, Layout::rows);
    std::error_code ignored;  // leftovers do no harm
    fs::remove_all(parts_directory_, ignored);
    fs::remove(parts_directory_.parent_path(), ignored);
    return saved;
  }

  const Study& study_;
  const RunOptions& options_;
  Json identity_;
  fs::path parts_directory_;
  Progress progress_ = {};
};

}  // namespace

bool is_done(const Study& study, const RunOptions& options) {
  return Work(study, options).document().has_value();
}

Json run(const Study& study, const RunOptions& options) {
  Work work(study, options);
  if (std::optional<Json> document = work.document()) return std::move(*document);
  return work.compute();
}

}  // namespace shortfall::studies
