#pragma once

#include <string>

#include "mdp/distributed_model.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/read_options.hpp"

namespace shortfall::io {

struct LoadedPart {
  detail::DistributedModel model;
  Sense sense;
};

/// The model of read_model(), bit by bit, divided among several ranks. Each reads its own states
/// from a binary file. Any other input is read by the first rank, which hands out the rows, so that
/// it needs the memory of the whole model. Throws InvalidInput as read_model() does, also if ranks
/// see different files, and FailedElsewhere on the other ranks.
LoadedPart read_distributed_model(const std::string& path, detail::Communicator& communicator,
                                  const ReadOptions& options = {});

}  // namespace shortfall::io
