#pragma once

#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/program.hpp"
#include "parallel/communicator.hpp"

namespace shortfall::app {

/// `shortfall-mpi`: the commands of `shortfall` that several processes can run together.
Program mpi_program(const Processes& processes);

/// Throws InvalidInput, on all ranks, unless all were started with the same arguments and are the
/// same program.
void check_same_start(int argc, char** argv, detail::Communicator& ranks);

/// Gives all processes the standard input of the first, the only one that has it, if an argument
/// names it. It is read to its end and stays in memory.
void share_standard_input(int argc, char** argv, const Processes& processes);

}  // namespace shortfall::app
