#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace CLI {
class Option;
}

namespace shortfall::app {

class DividedModel;
class Grammar;
class Processes;

/// A policy file, and how a randomised policy's choice of action enters the cost.
struct PolicyOptions {
  std::string file;
  InducedCost induced_cost = InducedCost::averaged;
};

/// --policy, which is returned, and --induced-cost.
CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options);

/// A policy read for a model: its chain, and its action ids as in `policy` of the JSON output.
struct ChosenPolicy {
  Chain chain;
  nlohmann::json ids;
};

ChosenPolicy read_policy(const PolicyOptions& options, const Mdp& model);
/// The same for a model of several processes, with the chain of own states. Throws InvalidInput on
/// all processes, also if they read different policies.
ChosenPolicy read_policy(const PolicyOptions& options, const DividedModel& model,
                         const Processes& processes);

}  // namespace shortfall::app
