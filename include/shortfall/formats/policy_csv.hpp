#pragma once

#include <span>
#include <string>
#include <variant>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Policies as CSV: columns `idstate,idaction`, one row per non-terminal state, or
/// `idstate,idaction,probability`, one row per action taken with probability > 0. Columns and rows
/// may be in any order; ids count from the bases of the model, so that they match its file.
namespace shortfall::io {

/// Throws InvalidInput that names the file, the line and what is accepted: a state that is unknown
/// or terminal, an action that the state does not have (with those it has), a repeated row, a state
/// without a row, probabilities of a state that do not sum to one.
std::variant<Policy, RandomisedPolicy> read_policy_csv(const std::string& path, const Mdp& model);

/// Throws InvalidInput if `policy` does not fit the model, OutputError if the file cannot be
/// written.
void write_policy_csv(const std::string& path, const Mdp& model, const Policy& policy);

/// A policy of finite horizon, with a leading column `stage`: the number of stages to go, from 1.
/// policies[t - 1] decides with t stages to go.
void write_staged_policy_csv(const std::string& path, const Mdp& model,
                             std::span<const Policy> policies);

}  // namespace shortfall::io
