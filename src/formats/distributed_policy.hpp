#pragma once

#include <span>
#include <string>

#include "formats/policy_csv_part.hpp"
#include "parallel/partition.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Policies of models that are divided among ranks, in the format of
/// shortfall/formats/policy_csv.hpp.
namespace shortfall::io {

/// Each rank reads the file and keeps what concerns its own states. Throws InvalidInput on all
/// ranks, with the message of read_policy_csv(). Whether they have read the same is not compared.
PolicyPart read_distributed_policy(const std::string& path, const Mdp& own_rows,
                                   const detail::Partition& partition);

/// Where the ids of states and actions begin in a file.
struct IdBases {
  StateIndex state;
  ActionIndex action;
};

/// As write_policy_csv() and write_staged_policy_csv() do, for policies of all states that are
/// known to fit their model: states without an action are terminal.
void write_policy_rows(const std::string& path, const IdBases& bases, const Policy& policy);
void write_staged_policy_rows(const std::string& path, const IdBases& bases,
                              std::span<const Policy> policies);

}  // namespace shortfall::io
