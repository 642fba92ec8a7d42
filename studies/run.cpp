#include "studies/run.hpp"

#include <fmt/format.h>

#include <mutex>
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

  /// Of the parts that are not saved.
  double seconds_left() const {
    double seconds = 0.0;
    for (const Part& part : study_.parts) seconds += saved_result(part) ? 0.0 : part.seconds;
    return seconds;
  }

  Json compute() {
    io::make_directory(parts_directory_.string());
    left_ = seconds_left();
    std::vector<Json> parts;
    for (const Part& part : study_.parts) {
      std::optional<Json> saved = saved_result(part);
      parts.push_back(saved ? std::move(*saved) : compute_part(part));
    }
    Json document = identity_;
    document.update(Json(study_.conclude(parts)));
    return write(document);
  }

 private:
  fs::path document_path() const { return options_.directory / (study_.name + ".json"); }

  fs::path path_of(const Part& part) const { return parts_directory_ / (part.name + ".json"); }

  /// What the document of a part begins with.
  Json identity_of_part(const Part& part) const {
    Json identity = identity_;
    identity["part"] = part.name;
    return identity;
  }

  std::optional<Json> saved_result(const Part& part) const {
    const std::optional<Json> saved = load_document(path_of(part), identity_of_part(part));
    const bool usable =
        saved && saved->contains("result") && study_.conclude.accepts(saved->at("result"));
    return usable ? std::optional(saved->at("result")) : std::nullopt;
  }

  Json compute_part(const Part& part) {
    const auto report_progress = [&](double fraction) {
      if (!options_.monitor) return;
      const std::scoped_lock lock(reporting_);
      const Progress progress{.activity = part.name,
                              .fraction = (done_ + fraction * part.seconds) / left_};
      if (options_.monitor(progress) == Request::stop) throw Stopped();
    };
    report_progress(0.0);
    Json document = identity_of_part(part);
    document["result"] = part.compute(report_progress);
    document = save_document(path_of(part), std::move(document), Layout::one_line);
    done_ += part.seconds;
    return document["result"];
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
  std::mutex reporting_;
  double left_ = 0.0;  ///< seconds to compute when this run began
  double done_ = 0.0;  ///< of these
};

}  // namespace

bool is_done(const Study& study, const RunOptions& options) {
  return Work(study, options).document().has_value();
}

double seconds_left(const Study& study, const RunOptions& options) {
  const Work work(study, options);
  return work.document() ? 0.0 : work.seconds_left();
}

std::optional<Json> run(const Study& study, const RunOptions& options) {
  Work work(study, options);
  if (std::optional<Json> document = work.document()) return document;
  try {
    return work.compute();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace shortfall::studies
