#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/new_directory.hpp"
#include "apps/shortfall/study_arguments.hpp"
#include "apps/shortfall/study_model.hpp"
#include "apps/shortfall/study_report.hpp"
#include "apps/shortfall/svg_directory.hpp"
#include "files/atomic_file.hpp"
#include "report/page.hpp"
#include "require.hpp"
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
      studies::StudiedLearner learner = studies::parse_learner(name, defaults);
      const auto same = std::ranges::find_if(
          learners, [&](const studies::StudiedLearner& other) { return other.is_same(learner); });
      require(same == learners.end(), "{} is the same as {}; accepted: each once", name,
              same == learners.end() ? "" : same->name);
      learners.push_back(std::move(learner));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("--algorithm {}", error.what()));
    }
  }
  return learners;
}

constexpr std::array<const char*, 3> result_files{"study.json", "study.csv", "study.html"};

/// Returns the page.
std::string write_study(const std::string& out, const report::Json& document) {
  const std::filesystem::path directory = out;
  io::write_file((directory / result_files[0]).string(), report::text_of(document));
  io::write_file((directory / result_files[1]).string(),
                 report::csv_of(document["tables"]["curves"]));
  std::string page = report::html_of(report::Page::study, document);
  io::write_file((directory / result_files[2]).string(), page);
  return page;
}

/// Fails before the work, not after it, if the files cannot be written.
void check_writable(const std::filesystem::path& directory) {
  for (const char* const name : result_files) io::AtomicFile{(directory / name).string()};
}

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
  check_study_features(learners, model);
  const ModelNames names(options.names, model.loaded.model);
  const NewDirectory directory(options.out);
  check_writable(options.out);
  const SvgDirectory pictures(options.svg);
  const auto tables = tables_of(options, model, learners);
  if (!tables) throw Stopped("; nothing was written");
  report::Json document = study_document(options, model, names, *tables);
  std::string place;  // of what is written
  write_then_print(
      [&] {
        const std::string page = write_study(options.out, document);
        place = fmt::format("\nHTML report: {}/{}\n", options.out, result_files[2]);
        if (!pictures.is_wanted()) return;
        const std::vector<std::string> files = pictures.write(page);
        place += pictures.text_of(files);
        document["pictures"] = files;
      },
      [&] {
        print(options.json ? report::text_of(document)
                           : study_text(options, model, *tables) + place);
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
      "study.html to --out, and with --svg the charts of study.html. In JSON, tables has settings\n"
      "(what is computed exactly), ends (final distances, and whether a learner is guaranteed to\n"
      "converge), conditions, curves and values; pictures, with --svg, has the files.\n"
      "Distances are to the exact value V, and to where the learner should end: the projected\n"
      "fixed point, for td-lambda the limit of its traces, for averagers their own fixed point.\n"
      "Runs that diverge are counted: that is a result, with exit code 0 even if all do.\n\n"
      "Example: shortfall study boyan --loss mean --loss expectile:0.9 --algorithm td\n"
      "         --algorithm newton --out boyan\n"
      "         shortfall study examples/forest.csv --policy optimal --gamma 0.9\n"
      "         --loss expectile:0.9 --algorithm td --algorithm td-lambda:0.6 --out forest");
}

}  // namespace shortfall::app
