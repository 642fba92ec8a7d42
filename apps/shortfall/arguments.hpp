#pragma once

#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/commands.hpp"
#include "apps/shortfall/processes.hpp"

namespace shortfall::app {

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

}  // namespace shortfall::app
