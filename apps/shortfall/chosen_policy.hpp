#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace CLI {
class Option;
}

namespace shortfall::app {

class DividedModel;
class Grammar;
class Processes;

/// A policy, and how a randomised policy's choice of action enters the cost.
struct PolicyOptions {
  std::string name;  ///< a file, or uniform: all actions equally likely
  std::vector<std::string_view> words = {"uniform"};  ///< names that are no files, for messages
  InducedCost induced_cost = InducedCost::averaged;
};

/// --policy, which is returned, and --induced-cost.
CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options);

/// The chain of a model under the policy.
Chain read_policy(const PolicyOptions& options, const Mdp& model);

/// The same for the own states of a process.
struct ChosenPolicy {
  Chain chain;
  std::variant<Policy, RandomisedPolicy> policy;
};

/// Throws InvalidInput on all processes, also if they read different policies.
ChosenPolicy read_policy(const PolicyOptions& options, const DividedModel& model,
                         const Processes& processes);

/// The action ids of all states as in `policy` of the JSON output, on the first process.
nlohmann::json ids_on_first(const ChosenPolicy& policy, const DividedModel& model);

}  // namespace shortfall::app
