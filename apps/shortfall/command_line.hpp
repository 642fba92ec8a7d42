#pragma once

#include <string>

#include "apps/shortfall/arguments.hpp"

namespace shortfall::app {

/// How a program ended: its exit code, and the message of the exception that ended it, if any.
struct ProgramEnd {
  int exit_code = success;
  std::string message = {};
};

/// The end by the exception that is being handled.
ProgramEnd end_by_exception();

/// Calls work(), which returns an exit code. Not by std::function, which allocates memory: there
/// may be none.
template <class Work>
ProgramEnd end_of(const Work& work) {
  try {
    return {work()};
  } catch (...) {
    return end_by_exception();
  }
}

/// From here on, memory that runs out where no exception may leave a function, such as in
/// destructors of JSON documents, ends the program with the message and the exit code of
/// std::bad_alloc.
void end_in_order_without_memory();

/// Prints a message to standard error.
void print_error(const std::string& message);

/// Runs a command and returns its exit code; exceptions become messages on standard error.
int run_command(const Command& command);

/// The whole program: parses the arguments and runs the command.
int run_command_line(int argc, char** argv);

}  // namespace shortfall::app
