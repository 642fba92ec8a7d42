#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "chosen_policy.hpp"
#include "command.hpp"
#include "shortfall/error.hpp"
#include "shortfall/io/inventory_toml.hpp"
#include "shortfall/io/model_csv.hpp"
#include "shortfall/theory/conditions.hpp"

namespace shortfall::app {
namespace {

/// The chain to check: of the policy given, or of the model itself where there is nothing to
/// choose.
std::optional<Chain> chain_of(const CheckOptions& options, const Mdp& model) {
  if (!options.policy.file.empty()) return read_policy(options.policy, model).chain;
  const std::optional<Policy> policy = only_policy(model);
  return policy ? std::optional(under_policy(model, *policy)) : std::nullopt;
}

template <class T>
T required(const std::optional<T>& value, const char* option) {
  if (!value) {
    throw InvalidInput(
        fmt::format("{} is missing; accepted: here, or in [risk] of a configuration", option));
  }
  return *value;
}

void print_conditions(const theory::Conditions& conditions, const std::string& loss, bool json,
                      const std::string& not_checked) {
  if (json) {
    nlohmann::json assumptions = nlohmann::json::array();
    for (const auto& [name, holds, reason] : conditions.assumptions) {
      assumptions.push_back({{"name", name}, {"holds", holds}, {"reason", reason}});
    }
    nlohmann::json document = {{"slope_min", conditions.slopes.lower},
                               {"slope_max", conditions.slopes.upper},  // null where unbounded
                               {"gamma_limit", conditions.gamma_limit},
                               {"sharp_gamma_limit", conditions.sharp_gamma_limit},
                               {"guaranteed", conditions.guaranteed()},
                               {"loss", loss},
                               {"gamma", conditions.gamma},
                               {"assumptions", std::move(assumptions)}};
    if (!not_checked.empty()) document["not_checked"] = not_checked;
    print_json(document);
    return;
  }
  const char* verdict = !conditions.guaranteed() ? "not guaranteed"
                        : not_checked.empty()    ? "guaranteed"
                                                 : "guaranteed where the chain is ergodic";
  std::string text = fmt::format(
      "{} with gamma {}: convergence of the online algorithms is {}\n\n"
      "slopes in [{:.6g}, {:.6g}]; gamma must be below {:.6g}\n\n",
      loss, conditions.gamma, verdict, conditions.slopes.lower, conditions.slopes.upper,
      conditions.gamma_limit);
  for (const auto& [name, holds, reason] : conditions.assumptions) {
    text += fmt::format("  {}  {}: {}\n", holds ? "yes" : " no", name, reason);
  }
  if (!not_checked.empty()) text += fmt::format("    ?  {}\n", not_checked);
  print(text);
}

}  // namespace

ExitCode run(const CheckOptions& options) {
  std::optional<AnyLoss> given_loss;
  std::optional<double> gamma = options.gamma;
  if (options.loss) given_loss = AnyLoss::parse(*options.loss);
  if (options.is_configuration()) {
    const io::InventoryToml configuration(options.file);
    if (!given_loss) given_loss = configuration.loss();
    if (!gamma) gamma = configuration.gamma();
  }
  const AnyLoss loss = required(given_loss, "--loss");
  theory::Conditions conditions = theory::check_conditions(loss, required(gamma, "--gamma"));
  std::string not_checked =
      "ergodic chain: give a model as CSV and, where it has a choice, --policy";
  if (!options.is_configuration()) {
    const Mdp model = io::read_model_csv(options.file, {.threads = options.threads}).model;
    if (const auto chain = chain_of(options, model)) {
      conditions.assumptions.push_back(theory::ergodicity_assumption(*chain, model.state_base()));
      not_checked.clear();
    } else {
      not_checked = "ergodic chain: depends on the policy; give one with --policy";
    }
  }
  print_conditions(conditions, loss.word(), options.json, not_checked);
  return success;
}

}  // namespace shortfall::app
