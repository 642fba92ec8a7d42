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

/// A model of any format, of which each rank reads a part and keeps the rows of its own states. The
/// model is that of read_model(), bit by bit. Ranks read about equal parts of the bytes of a CSV,
/// and hand each other the rows that are not theirs: few if the file is in order of state. Standard
/// input, and a CSV that is not sound, are read by the first rank alone: so the message is that of
/// read_model(). Throws InvalidInput, on all ranks with the same message, as read_model() does.
LoadedPart read_distributed_model(const std::string& path, detail::Communicator& communicator,
                                  const ReadOptions& options = {});

}  // namespace shortfall::io
