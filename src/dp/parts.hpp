#pragma once

#include "parallel/partition.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

/// What a solver works on: a model, or the part of one that is a rank's. The states of `rows` are
/// those of the rank, and their successors are numbered as Partition::local_index() says. No
/// partition: all states are those of this process.
namespace shortfall::detail {

struct ModelPart {
  const Mdp& rows;
  const Partition* partition = nullptr;
};

struct ChainPart {
  const Chain& rows;
  const Partition* partition = nullptr;
};

}  // namespace shortfall::detail
