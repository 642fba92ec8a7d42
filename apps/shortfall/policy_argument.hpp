#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::app {

/// `--policy FILE` and what goes with it.
struct PolicyArgument {
  std::string file;
  std::string induced_cost = "averaged";
};

CLI::Option* add_policy_options(CLI::App& command, PolicyArgument& argument);

/// A policy read for a model: its chain, and its action ids as `policy` of the JSON has them.
struct PolicyOnModel {
  Chain chain;
  nlohmann::json ids;
};

PolicyOnModel read_policy(const PolicyArgument& argument, const Mdp& model);

}  // namespace shortfall::app
