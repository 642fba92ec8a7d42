#pragma once

#include <string>
#include <vector>

#include "shortfall/formats/option_style.hpp"
#include "shortfall/inventory/fit/warning.hpp"

namespace shortfall::io {

/// A warning in words, without a full stop.
std::string in_words(const inventory::Warning& warning, OptionStyle style = OptionStyle::argument);

std::vector<std::string> in_words(const std::vector<inventory::Warning>& warnings,
                                  OptionStyle style = OptionStyle::argument);

}  // namespace shortfall::io
