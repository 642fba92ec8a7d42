#include "studies/run.hpp"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "checkpoint/resumable_run.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"
#include "studies/saved_document.hpp"
#include "studies/source_hash.hpp"

namespace shortfall::studies {
namespace {

namespace fs = std::filesystem;

constexpr auto checkpoint_kind = "reproduce";

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
    if (options_.saved == SavedDocument::replaced) return std::nullopt;
    std::optional<Json> saved = load_document(document_path(), identity_);
    return saved && is_study_document(*saved) ? saved : std::nullopt;
  }

  /// Of the parts that are not saved.
  double seconds_left() const {
    io::make_directory(parts_directory_.string());
    double seconds = 0.0;
    for (const Part& part : study_.parts) seconds += saved_result(part) ? 0.0 : part.seconds;
    return seconds;
  }

  Json compute() {
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

  std::string checkpoint_of(const Part& part) const {
    return (parts_directory_ / (part.name + ".checkpoint")).string();
  }

  io::RecordedOptions recorded(const Part& part) const {
    return {{"study", study_.name},
            {"part", part.name},
            {"scale", std::string(to_string(options_.study.scale))},
            {"seed", fmt::format("{}", options_.study.seed)},
            {"version", SHORTFALL_VERSION},
            {"source hash", std::string(source_hash())}};
  }

  /// The result in a part's checkpoint, if that is intact, of the same options and sources, and
  /// what the conclusion accepts.
  std::optional<Json> saved_result(const Part& part) const try {
    const io::ResumableRun run(checkpoint_of(part), checkpoint_kind);
    std::string text;
    run.load([&](io::StateReader& state) {
      run.check_recorded(recorded(part), state);
      state(text);
    });
    const Json result = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    return study_.conclude.accepts(result) ? std::optional(result) : std::nullopt;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }

  Json compute_part(const Part& part) {
    const auto report_progress = [&](double fraction) {
      if (!options_.monitor) return;
      const std::scoped_lock lock(reporting_);
      const Progress progress{.activity = part.name,
                              .fraction = (done_ + fraction * part.seconds) / left_};
      if (options_.monitor(progress) == Request::stop) throw PartStopped();
    };
    report_progress(0.0);
    { const io::AtomicFile probe(checkpoint_of(part)); }  // fail before the work, not after it
    const std::string text = part.compute(report_progress).dump();
    io::StateWriter state;
    archive(state, recorded(part));
    state(text);
    io::ResumableRun run(checkpoint_of(part), checkpoint_kind);
    run.save(state, [&] { throw io::OutputError(run.save_error()); });
    done_ += part.seconds;
    return Json::parse(text);  // the same with and without an interruption
  }

  /// Writes the document last: if it exists, everything does.
  Json write(const Json& document) const {
    const fs::path csv = options_.directory / "csv";
    io::make_directory(csv.string());
    for (const auto& [name, rows] : document["tables"].items()) {
      const std::string file = fmt::format("{}-{}.csv", study_.name, name);
      io::write_file((csv / file).string(), report::csv_of(rows));
    }
    Json saved = save_document(document_path(), document);
    remove_parts(study_, options_.directory);
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

void remove_parts(const Study& study, const fs::path& directory) {
  const fs::path parts = directory / "parts";
  io::remove_directory((parts / study.name).string());
  std::error_code ignored;  // it is not empty if another study has parts
  fs::remove(parts, ignored);
}

std::optional<Json> run(const Study& study, const RunOptions& options) {
  Work work(study, options);
  if (std::optional<Json> document = work.document()) {
    remove_parts(study, options.directory);  // of a run that was killed when it was done
    return document;
  }
  try {
    return work.compute();
  } catch (const PartStopped&) {
    return std::nullopt;
  }
}

}  // namespace shortfall::studies
