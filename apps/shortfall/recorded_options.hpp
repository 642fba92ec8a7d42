#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shortfall/checkpoint/checkpoint.hpp"

namespace shortfall::app {

/// Values that must not change when a run is resumed, by the name of the option.
using RecordedOptions = std::vector<std::pair<std::string, std::string>>;

/// Reads the recorded options from a checkpoint. Throws InvalidInput that names the first option
/// that has changed.
void check_recorded(const RecordedOptions& options, const std::string& checkpoint,
                    io::StateReader& saved);

}  // namespace shortfall::app
