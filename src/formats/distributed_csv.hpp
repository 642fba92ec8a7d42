#pragma once

#include <optional>
#include <string>

#include "formats/distributed_model_file.hpp"

namespace shortfall::io {

/// A model from a CSV of which each rank reads a part. Nothing, on all ranks, unless the file is
/// sound: read_model() says what is wrong with it.
std::optional<LoadedPart> read_distributed_csv(const std::string& path,
                                               detail::Communicator& communicator,
                                               const ReadOptions& options);

}  // namespace shortfall::io
