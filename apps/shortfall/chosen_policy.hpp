#pragma once

#include <nlohmann/json.hpp>

#include "apps/shortfall/options.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::app {

/// A policy read for a model: its chain, and its action ids as in `policy` of the JSON output.
struct ChosenPolicy {
  Chain chain;
  nlohmann::json ids;
};

ChosenPolicy read_policy(const PolicyOptions& options, const Mdp& model);

}  // namespace shortfall::app
