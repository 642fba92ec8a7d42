#pragma once

#include "apps/shortfall/program.hpp"

namespace shortfall::app {

/// `shortfall-mpi`: the commands of `shortfall` that several processes can run together.
Program mpi_program(const Processes& processes);

}  // namespace shortfall::app
