#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_model.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/model_file.hpp"
#include "shortfall/learn/any_step.hpp"
#include "shortfall/theory/feature_conditions.hpp"

namespace shortfall::app {
namespace {

struct CheckOptions : GeneralOptions {
  std::string file;
  std::optional<AnyLoss> loss;
  std::optional<double> gamma;
  PolicyOptions policy;
  std::string features;
  std::optional<theory::ProvenAlgorithm> algorithm;
  std::optional<learn::AnyStep> step;

  /// The first of steps that do not know the scale of the features.
  std::optional<double> first_step() const {
    if (!step || step->is_scaled()) return {};
    learn::AnyStep rule = *step;
    return rule(0);
  }

  bool is_configuration() const { return file.ends_with(".toml"); }
};

void check_options(const CheckOptions& options) {
  const double gamma = options.gamma.value_or(1.0);
  require_gamma(gamma > 0.0 && gamma <= 1.0, gamma, "a number above 0, at most 1");
  require(!options.is_configuration() || options.policy.name.empty(),
          "--policy needs a model, not a configuration; accepted: a model");
  require(!options.is_configuration() || options.features.empty(),
          "--features needs a model, not a configuration; accepted: a model");
  require(!options.algorithm || !options.features.empty(),
          "--algorithm needs --features; accepted: both, as the guarantee depends on the features");
  require(!options.step || !options.features.empty(),
          "--step needs --features; accepted: both, as steps must suit the features");
}

/// The chain to check: under the given policy, or of the model itself if it has no choice of
/// actions.
std::optional<Chain> chain_of(const CheckOptions& options, const Mdp& model) {
  if (!options.policy.name.empty()) return read_policy(options.policy, model);
  const std::optional<Policy> policy = unique_policy(model);
  return policy ? std::optional(under_policy(model, *policy)) : std::nullopt;
}

template <class T>
T required(const std::optional<T>& value, const char* option) {
  require(value.has_value(),
          "{} is missing; accepted: as an option, or in [risk] of a configuration", option);
  return *value;
}

/// The rules for averagers are checked here, where lines are known.
Eigen::MatrixXd read_features(const CheckOptions& options, const Mdp& model) {
  Eigen::MatrixXd phi = read_state_features(options.features, model.states());
  if (options.algorithm == theory::ProvenAlgorithm::averager_td) {
    require_averager(options.features, phi, model);
  }
  return phi;
}

nlohmann::json as_json(const theory::CheckedConditions& checked) {
  const theory::Conditions& found = checked.conditions;
  nlohmann::json assumptions = nlohmann::json::array();
  for (const auto& [name, holds, reason] : found.assumptions) {
    assumptions.push_back({{"name", name}, {"holds", holds}, {"reason", reason}});
  }
  nlohmann::json document = {{"slope_min", found.slopes.lower},
                             {"slope_max", found.slopes.upper},  // null where unbounded
                             {"gamma_limit", found.gamma_limit},
                             {"sharp_gamma_limit", found.sharp_gamma_limit},
                             {"guaranteed", found.guaranteed()},
                             {"loss", checked.loss},
                             {"gamma", found.gamma},
                             {"assumptions", std::move(assumptions)}};
  if (!checked.not_checked.empty()) document["not_checked"] = checked.not_checked;
  if (!checked.algorithm.empty()) document["algorithm"] = checked.algorithm;
  if (!checked.rests_on.empty()) document["rests_on"] = checked.rests_on;
  if (checked.largest_step) document["largest_step"] = *checked.largest_step;
  nlohmann::json& known = document["algorithms"];
  for (const theory::KnownConvergence& each : theory::known_convergence(checked)) {
    known.push_back({{"algorithm", each.algorithm},
                     {"guaranteed", each.guaranteed},
                     {"known", each.known},
                     {"rests_on", each.rests_on}});
  }
  return document;
}

/// Where only the discount is too large, which features can make up for.
std::string features_text(const theory::CheckedConditions& checked) {
  const theory::Conditions& found = checked.conditions;
  const bool other_conditions_hold =
      std::ranges::all_of(found.assumptions, [](const theory::Assumption& assumption) {
        return assumption.holds || assumption.name == "discount";
      });
  if (found.guaranteed() || !other_conditions_hold || found.gamma >= 1.0) return "";
  return "\nThis is for any features. With one weight per state, bounded slopes, steps that suit "
         "and "
         "visits to\nevery state, td converges for every gamma below 1; --features F.csv shows "
         "what "
         "holds for yours.\n";
}

ExitCode run_check(const CheckOptions& options) {
  std::optional<AnyLoss> given_loss = options.loss;
  std::optional<double> gamma = options.gamma;
  if (options.is_configuration()) {
    const io::InventoryToml configuration(options.file);
    if (!given_loss) given_loss = configuration.loss();
    if (!gamma) gamma = configuration.gamma();
  }
  const AnyLoss loss = required(given_loss, "--loss");
  theory::CheckedConditions checked{
      theory::check_conditions(loss, required(gamma, "--gamma")), loss.to_string(),
      "ergodic chain: give a model and, if it has a choice of actions, --policy"};
  if (!options.is_configuration()) {
    const Mdp model = io::read_model(options.file, {.threads = options.threads}).model;
    const std::optional<Chain> chain = chain_of(options, model);
    if (!options.features.empty()) {
      require(chain.has_value(),
              "--features needs the chain, and the model has a choice of actions; accepted: with "
              "--policy");
      checked = theory::check_conditions(
          options.algorithm.value_or(theory::ProvenAlgorithm::td), loss, checked.conditions.gamma,
          {*chain, read_features(options, model), model.state_base()}, options.first_step());
      if (options.step) {
        checked.conditions.assumptions.push_back(options.step->assumption());
        if (!checked.conditions.guaranteed()) checked.rests_on.clear();
      }
    } else if (chain) {
      checked.conditions.assumptions.push_back(
          theory::ergodicity_assumption(*chain, model.state_base()));
      checked.not_checked.clear();
    } else {
      checked.not_checked = "ergodic chain: it depends on the policy; give one with --policy";
    }
  }
  if (options.json) {
    print_json(as_json(checked));
  } else {
    print(theory::report(checked) + (options.features.empty() ? features_text(checked) : ""));
  }
  return success;
}

}  // namespace

void add_check(const CommandGroup& group) {
  const auto options = std::make_shared<CheckOptions>();
  const Grammar grammar =
      group.add("check", "Check which online algorithms are guaranteed to converge",
                [options] { return run_check(*options); });
  add_input(grammar, "file", options->file,
            "Model (CSV or binary) or inventory configuration (TOML)")
      ->required();
  add_parsed(
      grammar, "--loss",
      [options](const std::string& text) { options->loss = AnyLoss::parse(text); },
      "Loss function; default: from the configuration");
  offer_losses(grammar);
  grammar->add_option("--gamma", options->gamma,
                      "Discount factor; default: from the configuration");
  add_policy(grammar, options->policy);
  add_input(grammar, "--features", options->features,
            "Features of the states (CSV: header x1,..,xd, one row per state)");
  add_named(grammar, "--algorithm", options->algorithm, theory::proven_algorithm_names, "algorithm",
            "td or averager-td, for which there are proofs; needs --features. Default: td");
  add_parsed(
      grammar, "--step",
      [options](const std::string& text) { options->step = learn::AnyStep::parse(text); },
      "Steps as in learn, which must suit the features; needs --features. Default: scaled, which "
      "do")
      ->default_str("");
  grammar.offer("--step", {"scaled"});
  add_general_options(grammar, *options, Randomness::none);
  grammar.add_check([options] { check_options(*options); });
  grammar->footer(
      "Example: shortfall check examples/forest.csv --loss expectile:0.4 --gamma 0.6\n"
      "         shortfall check MODEL.csv --policy P.csv --loss expectile:0.9 --gamma 0.99 \\\n"
      "           --features F.csv --algorithm averager-td");
}

}  // namespace shortfall::app
