#include "apps/shortfall/chosen_policy.hpp"

#include <span>
#include <string>
#include <utility>
#include <variant>

#include "apps/shortfall/divided_model.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "files/input_file.hpp"
#include "shortfall/formats/policy_csv.hpp"

namespace shortfall::app {
namespace {

/// By state: an object of weights by action id, or -1 where the state is terminal.
nlohmann::json weights_by_id(const Mdp& model, const RandomisedPolicy& policy) {
  nlohmann::json result = nlohmann::json::array();
  for (std::size_t x = 0; x < model.states(); ++x) {
    nlohmann::json weights = nlohmann::json::object();
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (policy.weight[r] == 0.0) continue;
      weights[std::to_string(model.action_of_row(r) + model.action_base())] = policy.weight[r];
    }
    result.push_back(model.is_terminal(x) ? nlohmann::json(no_action) : std::move(weights));
  }
  return result;
}

}  // namespace

CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options) {
  add_choice(grammar, "--induced-cost", options.induced_cost, induced_cost_names,
             "Cost of a randomised policy: averaged over its actions, or the mixture of their "
             "costs, so that the choice of action adds risk");
  return grammar->add_option("--policy", options.file,
                             "CSV with columns idstate,idaction or idstate,idaction,probability");
}

ChosenPolicy read_policy(const PolicyOptions& options, const Mdp& model) {
  const std::variant<Policy, RandomisedPolicy> policy = io::read_policy_csv(options.file, model);
  if (const auto* fixed = std::get_if<Policy>(&policy)) {
    return {under_policy(model, *fixed), policy_ids(model.action_base(), *fixed)};
  }
  const auto& randomised = std::get<RandomisedPolicy>(policy);
  return {under_policy(model, randomised, options.induced_cost), weights_by_id(model, randomised)};
}

ChosenPolicy read_policy(const PolicyOptions& options, const DividedModel& model,
                         const Processes& processes) {
  const Mdp& all = model.with_all_actions();
  const std::variant<Policy, RandomisedPolicy> policy =
      processes.together([&] { return io::read_policy_csv(options.file, all); });
  const std::string name = io::input_name(options.file);
  const Mdp& rows = model.part().rows;
  if (const auto* fixed = std::get_if<Policy>(&policy)) {
    processes.check_same(std::as_bytes(std::span(*fixed)), name);
    return {under_policy(rows, model.own(*fixed)), policy_ids(model.action_base(), *fixed)};
  }
  const auto& randomised = std::get<RandomisedPolicy>(policy);
  processes.check_same(std::as_bytes(std::span(randomised.weight)), name);
  return {under_policy(rows, model.own(randomised), options.induced_cost),
          weights_by_id(all, randomised)};
}

}  // namespace shortfall::app
