#include "apps/shortfall/study_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/svg_directory.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/mdp/library/catalogue.hpp"

namespace shortfall::app {
namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 40;
constexpr std::uint64_t most_replications = 100'000;

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
          "--restart is {}; accepted: a probability from 0, below 1", options.restart);
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
  std::vector<std::string_view> names;
  for (const auto& known : learn::algorithm_names) names.push_back(known.first);
  add_repeated(grammar, "--algorithm", options.algorithms,
               fmt::format("One of {}; with variants: td:averaged, td-lambda:0.6, "
                           "newton:as-published; repeat it to compare several; default: td and "
                           "newton",
                           fmt::join(names, ", ")));
  grammar->add_option("--lambda", options.lambda,
                      "Trace parameter of td-lambda where it is not given after a colon");
  add_parsed(
      grammar, "--step",
      [&options](const std::string& text) { options.step = learn::AnyStep::parse(text); },
      "Step size of td, td-lambda and averager-td: B1,B2,DELTA for B1/(n+B2)^DELTA, or a constant")
      ->default_str(options.step.to_string());
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

}  // namespace

void add_study_options(const Grammar& grammar, StudyArguments& options) {
  grammar
      ->add_option("model", options.model,
                   fmt::format("CSV or binary as for solve, or a model of the library: {}",
                               fmt::join(library::catalogue_names(), ", ")))
      ->required();
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
  add_name_files(grammar, options.names);
  add_count(grammar, "--samples", options.samples, most_samples, "Updates of each run");
  add_count(grammar, "--replications", options.replications, most_replications,
            "Runs of each learner, on paths that are the same for all learners");
  grammar
      ->add_option("--start", options.start,
                   "State in which paths begin, and begin again after an end, or uniform; default: "
                   "the first state")
      ->check(not_empty());
  grammar
      ->add_option("--restart", options.restart,
                   "Probability of beginning again after any step, for chains that get trapped")
      ->capture_default_str();
  grammar->add_option("--confidence", options.confidence, "Level of the intervals that are counted")
      ->capture_default_str();
  grammar->add_option("--out", options.out, "Directory for study.json, study.csv and study.html")
      ->required()
      ->check(not_empty());
  add_svg(grammar, options.svg);
  add_general_options(grammar, options, Randomness::seeded);
  grammar.add_check([&options] { check_study(options); });
}

}  // namespace shortfall::app
