#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/shortfall/learn_arguments.hpp"

namespace shortfall::app {

/// What a file that shortfall wrote for itself holds, as an object with `kind` and `version`: a
/// checkpoint of learn, of inventory train or of a part of reproduce, or a saved solution of an
/// inventory. Throws InvalidInput if it is none, damaged, or of another version.
/// A checkpoint of learn has also the values and intervals that are asked for.
nlohmann::ordered_json file_contents(const std::string& path, const IntervalRequest& asked = {});

}  // namespace shortfall::app
