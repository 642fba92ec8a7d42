#pragma once

#include <functional>
#include <string>

#include "apps/shortfall/arguments.hpp"

namespace shortfall::app {

/// How a program ended: its exit code, and the message of the exception that ended it, if any.
struct ProgramEnd {
  int exit_code = success;
  std::string message = {};
};

/// Calls work(), which returns an exit code.
ProgramEnd end_of(const std::function<int()>& work);

/// Prints a message to standard error.
void print_error(const std::string& message);

/// Runs a command and returns its exit code; exceptions become messages on standard error.
int run_command(const Command& command);

/// The whole program: parses the arguments and runs the command.
int run_command_line(int argc, char** argv);

}  // namespace shortfall::app
