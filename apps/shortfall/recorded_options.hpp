#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shortfall/io/checkpoint.hpp"

namespace shortfall::app {

/// What must be the same in every part of a run that is resumed, by the name of its option.
using RecordedOptions = std::vector<std::pair<std::string, std::string>>;

/// Takes as many from the checkpoint of this name. Throws InvalidInput that names the first option
/// that is not what it was.
void check_recorded(const RecordedOptions& options, const std::string& checkpoint,
                    io::StateReader& saved);

}  // namespace shortfall::app
