#pragma once

#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/processes.hpp"

namespace shortfall::app {

class CommandGroup;

/// Adds every command. Each is in one file: its options, their grammar and checks, and its run.
void add_commands(const CommandGroup& group);

/// A program with commands, and what its help says of it.
struct Program {
  std::string name;
  std::string purpose;
  std::string example;
  void (*add_commands)(const CommandGroup& group);
  Processes processes;
};

/// `shortfall` itself.
const Program& shortfall_program();

/// Reads the command line. Prints help or version where requested, on the first process, and
/// returns an empty function then. Throws InvalidInput that names the option and what is accepted.
/// The program must outlive the command.
Command parse_arguments(int argc, char** argv, const Program& program = shortfall_program());

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
