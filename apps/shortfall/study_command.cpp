#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/study.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "report/page.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library/catalogue.hpp"
#include "studies/model_study.hpp"

namespace shortfall::app {
namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 40;
constexpr std::uint64_t most_replications = 100'000;
constexpr std::array<const char*, 3> result_files{"study.json", "study.csv", "study.html"};

void check_study(const StudyArguments& options) {
  for (const double gamma : options.gammas) {
    require_gamma(gamma > 0.0 && gamma <= 1.0, gamma, "a number above 0, at most 1");
    require(std::ranges::count(options.gammas, gamma) == 1,
            "--gamma {} is given twice; accepted: each once", gamma);
  }
  for (const AnyLoss& loss : options.losses) {
    const auto same = [&](const AnyLoss& other) { return other.to_string() == loss.to_string(); };
    require(std::ranges::count_if(options.losses, same) == 1,
            "--loss {} is given twice; accepted: each once", loss.to_string());
  }
  const auto check_repeated = [](const std::vector<std::string>& given, const char* option) {
    for (const std::string& value : given) {
      require(std::ranges::count(given, value) == 1, "{} {} is given twice; accepted: each once",
              option, value);
    }
  };
  check_repeated(options.algorithms, "--algorithm");
  check_repeated(options.features, "--features");
  require(options.restart >= 0.0 && options.restart < 1.0,
          "--restart is {}; accepted: a probability of at least 0 and below 1", options.restart);
  require(std::isfinite(options.initial), "--initial is {}; accepted: a finite number",
          options.initial);
  require(options.confidence > 0.0 && options.confidence < 1.0,
          "--confidence is {}; accepted: a number between 0 and 1, such as 0.95",
          options.confidence);
  require(std::ranges::count(std::vector{options.model, options.policy.name}, "-") < 2,
          "the model and --policy are both -; accepted: standard input for one of them");
}

void add_losses_option(const Grammar& grammar, std::vector<AnyLoss>& losses) {
  const auto texts = std::make_shared<std::vector<std::string>>();
  add_repeated(grammar, "--loss", *texts,
               "Loss function, such as expectile:0.9; repeat it to compare several");
  offer_losses(grammar);
  grammar.add_check([texts, &losses] {
    for (const std::string& text : *texts) {
      try {
        losses.push_back(AnyLoss::parse(text));
      } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("--loss: {}", error.what()));
      }
    }
  });
}

void add_learner_choice(const Grammar& grammar, StudyArguments& options) {
  std::vector<std::string> names = words_of(learn::algorithm_names);
  add_repeated(grammar, "--algorithm", options.algorithms,
               fmt::format("One of {}; with variants: td:averaged, td-lambda:0.6, "
                           "newton:as-published; repeat it to compare several; default: td and "
                           "newton",
                           fmt::join(names, ", ")));
  names.insert(names.end(), {"td:averaged", "td-lambda:", "newton:as-published"});
  grammar.offer("--algorithm", std::move(names));
  grammar->add_option("--lambda", options.lambda,
                      "Trace parameter of td-lambda where it is not given after a colon");
  add_parsed(
      grammar, "--step",
      [&options](const std::string& text) { options.step = learn::AnyStep::parse(text); },
      "Step size of td, td-lambda and averager-td: scaled, B1,B2,DELTA for B1/(n+B2)^DELTA, or a "
      "constant")
      ->default_str(options.step.to_string());
  grammar.offer("--step", {"scaled"});
  grammar
      ->add_option("--warmup", options.warmup,
                   "Samples before newton's first step; default: the larger of 500 and 10 d")
      ->check(CLI::Range(std::uint64_t{1}, most_samples).description(""));
  grammar
      ->add_option("--average-from", options.average_from,
                   "Updates before td:averaged begins to average; default: a tenth of --samples")
      ->check(CLI::Range(std::uint64_t{0}, most_samples).description(""));
  grammar->add_option("--initial", options.initial, "All weights at the start")
      ->capture_default_str();
}

/// The options and their checks. `options` must outlive the grammar.
void add_study_options(const Grammar& grammar, StudyArguments& options) {
  add_input(grammar, "model", options.model,
            fmt::format("CSV or binary as for solve, or a model of the library: {}",
                        fmt::join(library::catalogue_names(), ", ")))
      ->required();
  const auto models = library::catalogue_names();
  grammar.offer("model", {models.begin(), models.end()}, Offers::Paths::files);
  options.policy.words = {"optimal", "uniform"};
  add_policy(grammar, options.policy)
      ->description(
          "CSV with columns idstate,idaction[,probability]; or optimal: the best policy for each "
          "loss; or uniform: all actions equally likely")
      ->check(not_empty());
  add_numbers(grammar, "--gamma", options.gammas,
              "Discount factor; several, separated by commas, are compared");
  add_losses_option(grammar, options.losses);
  add_learner_choice(grammar, options);
  add_repeated(grammar, "--features", options.features,
               "CSV with header x1,..,xd and one row per state; or one-per-state; repeat it to "
               "compare several");
  grammar.offer("--features", {"one-per-state"}, Offers::Paths::files);
  grammar.reads("--features");
  add_name_files(grammar, options.names);
  add_count(grammar, "--samples", options.samples, most_samples, "Updates of each run");
  add_count(grammar, "--replications", options.replications, most_replications,
            "Runs of each learner, on paths that are the same for all learners");
  grammar
      ->add_option("--start", options.start,
                   "State in which paths begin, and begin again after an end, or uniform; default: "
                   "the first state")
      ->check(not_empty());
  grammar.offer("--start", {"uniform"});
  grammar
      ->add_option("--restart", options.restart,
                   "Probability of beginning again after any step, for chains that get trapped")
      ->capture_default_str();
  grammar->add_option("--confidence", options.confidence, "Level of the intervals that are counted")
      ->capture_default_str();
  grammar->add_option("--out", options.out, "Directory for study.json, study.csv and study.html")
      ->required()
      ->check(not_empty());
  grammar.writes_into("--out", {result_files.begin(), result_files.end()});
  add_general_options(grammar, options, Randomness::seeded);
  grammar.add_check([&options] { check_study(options); });
}

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

void write_study(const std::string& out, const report::Json& document) {
  const std::filesystem::path directory = out;
  io::write_file((directory / result_files[0]).string(), report::text_of(document));
  io::write_file((directory / result_files[1]).string(),
                 report::csv_of(document["tables"]["curves"]));
  io::write_file((directory / result_files[2]).string(),
                 report::html_of(report::Page::study, document));
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
  const auto tables = tables_of(options, model, learners);
  if (!tables) throw Stopped("; nothing was written");
  const report::Json document = study_document(options, model, names, *tables);
  std::string place;  // of the page, once it is written
  write_then_print(
      [&] {
        write_study(options.out, document);
        place = fmt::format("\nHTML report: {}/{}\n", options.out, result_files[2]);
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
      group.add("study", "Compare learners on your own model with its exact value",
                [options] { return run_study(*options); });
  add_study_options(grammar, *options);
  grammar->footer(
      "Writes study.json, study.csv (one row per learner, loss and number of updates) and\n"
      "study.html to --out. In JSON, tables has settings (what is computed exactly), ends\n"
      "(final distances, and whether a learner is guaranteed to converge), conditions, curves\n"
      "and values.\n"
      "Distances are to the exact value V, and to where the learner should end: the projected\n"
      "fixed point, for td-lambda the limit of its traces, for averagers their own fixed point.\n"
      "Runs that diverge are counted: that is a result, with exit code 0 even if all do.\n\n"
      "Example: shortfall study boyan --loss mean --loss expectile:0.9 --algorithm td\n"
      "         --algorithm newton --out boyan\n"
      "         shortfall study examples/forest.csv --policy optimal --gamma 0.9\n"
      "         --loss expectile:0.9 --algorithm td --algorithm td-lambda:0.6 --out forest");
}

}  // namespace shortfall::app
