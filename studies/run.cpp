#include "studies/run.hpp"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"
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

}  // namespace

StudyRun::StudyRun(const Study& study, RunOptions options)
    : study_(study), options_(std::move(options)), identity_(identity_of(study, options_.study)) {
  if (options_.saved == SavedDocument::reused) {
    document_ = load_document(document_path(), identity_);
    if (document_) return;
  }
  for (const Part& part : study_.parts) results_.push_back(saved_result(part));
}

fs::path StudyRun::document_path() const {
  return options_.directory / (study_.name + ".json");
}

fs::path StudyRun::parts_directory() const {
  return options_.directory / "parts" / study_.name;
}

std::string StudyRun::checkpoint_of(const Part& part) const {
  return (parts_directory() / (part.name + ".checkpoint")).string();
}

io::RecordedOptions StudyRun::recorded(const Part& part) const {
  return {{"study", study_.name},
          {"part", part.name},
          {"scale", std::string(to_string(options_.study.scale))},
          {"seed", fmt::format("{}", options_.study.seed)},
          {"version", SHORTFALL_VERSION},
          {"source hash", std::string(source_hash())}};
}

/// Empty unless there is a checkpoint that is intact, of the same options and sources, and has what
/// the conclusion takes.
std::any StudyRun::saved_result(const Part& part) const try {
  const std::string path = checkpoint_of(part);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  const io::ResumableRun run(path, checkpoint_kind);
  std::string text;
  run.load([&](io::StateReader& state) {
    run.check_recorded(recorded(part), state);
    state(text);
  });
  return study_.conclude.result_of(Json::parse(text, nullptr, /*allow_exceptions=*/false));
} catch (const InvalidInput&) {
  return {};
}

double StudyRun::seconds_left() const {
  double seconds = 0.0;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].has_value()) seconds += study_.parts[i].seconds;
  }
  return seconds;
}

std::any StudyRun::compute_part(const Part& part, const OnProgress& on_progress) const {
  on_progress(0.0);
  { const io::AtomicFile probe(checkpoint_of(part)); }  // fail before the work, not after it
  const Json result = study_.conclude.json_of(part.compute(on_progress));
  const auto write = [&](io::StateWriter& state) {
    archive(state, recorded(part));
    state(result.dump());
  };
  io::ResumableRun run(checkpoint_of(part), checkpoint_kind);
  run.save(write, [&] { throw io::OutputError(run.save_error()); });
  return study_.conclude.result_of(result);  // the same with and without an interruption
}

void StudyRun::compute_parts(const Monitor& monitor) {
  const double left = seconds_left();
  double done = 0.0;
  std::mutex reporting;
  io::make_directory(parts_directory().string());
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].has_value()) continue;
    const Part& part = study_.parts[i];
    results_[i] = compute_part(part, [&](double fraction) {
      if (!monitor) return;
      const std::scoped_lock lock(reporting);
      const Progress progress{.activity = part.name,
                              .fraction = (done + fraction * part.seconds) / left};
      if (monitor(progress) == Request::stop) throw PartStopped();
    });
    done += part.seconds;
  }
}

/// Writes the document last: if it exists, everything does.
void StudyRun::write_results() {
  Json document = identity_;
  document.update(Json(study_.conclude(results_)));
  const fs::path csv = options_.directory / "csv";
  io::make_directory(csv.string());
  for (const auto& [name, rows] : document["tables"].items()) {
    const std::string file = fmt::format("{}-{}.csv", study_.name, name);
    io::write_file((csv / file).string(), report::csv_of(rows));
  }
  document_ = save_document(document_path(), std::move(document));
  results_.clear();
}

std::optional<Json> StudyRun::finish(const Monitor& monitor) {
  if (!is_done()) {
    try {
      compute_parts(monitor);
    } catch (const PartStopped&) {
      return std::nullopt;
    }
    write_results();
  }
  remove_parts(study_, options_.directory);  // also of a run that was killed when it was done
  return document_;
}

void remove_parts(const Study& study, const fs::path& directory) {
  const fs::path parts = directory / "parts";
  io::remove_directory((parts / study.name).string());
  std::error_code ignored;  // it is not empty if another study has parts
  fs::remove(parts, ignored);
}

}  // namespace shortfall::studies
