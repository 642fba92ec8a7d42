#pragma once

#include <string>
#include <vector>

#include "apps/shortfall/program.hpp"

namespace shortfall::fuzz {

/// The command of these arguments, without "shortfall". What commands print goes nowhere, from the
/// first call on.
app::Command command_of(std::vector<std::string> arguments);

}  // namespace shortfall::fuzz
