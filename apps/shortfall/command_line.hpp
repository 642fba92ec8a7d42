#pragma once

#include "arguments.hpp"

namespace shortfall::app {

/// Runs a command and returns its exit code; what it throws becomes a message on standard error.
int run_command(const Command& command);

/// The whole program: the same for the command that the arguments name.
int run_command_line(int argc, char** argv);

}  // namespace shortfall::app
