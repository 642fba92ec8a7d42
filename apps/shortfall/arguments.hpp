#pragma once

#include "apps/shortfall/command.hpp"

namespace shortfall::app {

/// Reads the command line. Prints help or version where requested, and returns an empty function
/// then. Throws InvalidInput that names the option and what is accepted.
Command parse_arguments(int argc, char** argv);

}  // namespace shortfall::app
