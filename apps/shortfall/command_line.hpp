#pragma once

#include "apps/shortfall/arguments.hpp"

namespace shortfall::app {

/// Runs a command and returns its exit code; exceptions become messages on standard error.
int run_command(const Command& command);

/// The whole program: parses the arguments and runs the command.
int run_command_line(int argc, char** argv);

}  // namespace shortfall::app
