#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/study_arguments.hpp"
#include "apps/shortfall/study_model.hpp"
#include "apps/shortfall/study_report.hpp"
#include "files/atomic_file.hpp"
#include "report/page.hpp"
#include "studies/model_study.hpp"

namespace shortfall::app {
namespace {

std::vector<studies::StudiedLearner> learners_of(const StudyArguments& options) {
  const studies::LearnerDefaults defaults{
      .step = options.step,
      .lambda = options.lambda,
      .warmup = options.warmup,
      .average_from = options.average_from.value_or(options.samples / 10),
      .initial = options.initial};
  std::vector<std::string> names = options.algorithms;
  if (names.empty()) names = {"td", "newton"};
  std::vector<studies::StudiedLearner> learners;
  for (const std::string& name : names) {
    try {
      learners.push_back(studies::parse_learner(name, defaults));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("--algorithm {}", error.what()));
    }
  }
  return learners;
}

void write_study(const std::string& out, const report::Json& document) {
  const std::filesystem::path directory = out;
  io::write_file((directory / "study.json").string(), report::text_of(document));
  io::write_file((directory / "study.csv").string(), report::csv_of(document["tables"]["curves"]));
  io::write_file((directory / "study.html").string(),
                 report::html_of(report::Page::study, document));
}

/// The directory of the results, made before the work, so that it fails then if it cannot be
/// written. Removed again if it is new and stays empty.
class ResultDirectory {
 public:
  explicit ResultDirectory(const std::string& path)
      : path_(path), is_new_(!std::filesystem::exists(path, ignored_)) {
    io::make_directory(path);
    io::AtomicFile{(path_ / "study.json").string()};
  }
  ~ResultDirectory() {
    if (is_new_) std::filesystem::remove(path_, ignored_);  // fails if there are files
  }
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

 private:
  std::filesystem::path path_;
  std::error_code ignored_;
  bool is_new_;
};

std::optional<studies::ModelStudyTables> tables_of(
    const StudyArguments& options, const StudyModel& model,
    const std::vector<studies::StudiedLearner>& learners) {
  CommandMonitor watch;
  return studies::model_study({.losses = model.losses,
                               .gammas = model.gammas,
                               .features = model.features,
                               .learners = learners,
                               .chain_under = model.chain_under,
                               .start = model.start,
                               .restart = options.restart,
                               .samples = options.samples,
                               .replications = options.replications,
                               .confidence = options.confidence,
                               .seed = options.seed,
                               .threads = options.threads,
                               .state_base = model.loaded.model.state_base(),
                               .monitor = watch.monitor()});
}

ExitCode run_study(const StudyArguments& options) {
  const std::vector<studies::StudiedLearner> learners = learners_of(options);
  StudyModel model;
  read_study_model(options, model);
  const ModelNames names(options.names, model.loaded.model);
  const ResultDirectory directory(options.out);
  const auto tables = tables_of(options, model, learners);
  if (!tables) throw Stopped("; nothing was written");
  const report::Json document = study_document(options, model, names, *tables);
  write_then_print([&] { write_study(options.out, document); },
                   [&] {
                     options.json ? print(report::text_of(document))
                                  : print(study_text(options, model, *tables));
                   });
  return success;
}

}  // namespace

void add_study(const CommandGroup& group) {
  const auto options = std::make_shared<StudyArguments>();
  const Grammar grammar =
      group.add("study", "Compare learners on a model of your own, beside its exact value",
                [options] { return run_study(*options); });
  add_study_options(grammar, *options);
  grammar->footer(
      "Writes study.json, study.csv (one row per learner, loss and number of updates) and\n"
      "study.html to --out. In JSON, tables has settings (what is computed exactly, and whether\n"
      "convergence is guaranteed), conditions, ends (final distances), curves and values.\n"
      "Distances are to the exact value V, and to where the learner should end: the projected\n"
      "fixed point, for td-lambda the limit of its traces, for averagers their own fixed point.\n"
      "Runs that diverge are counted.\n\n"
      "Example: shortfall study boyan --loss mean --loss expectile:0.9 --algorithm td\n"
      "         --algorithm newton --out boyan\n"
      "         shortfall study examples/forest.csv --policy optimal --gamma 0.9\n"
      "         --loss expectile:0.9 --algorithm td --algorithm td-lambda:0.6 --out forest");
}

}  // namespace shortfall::app
