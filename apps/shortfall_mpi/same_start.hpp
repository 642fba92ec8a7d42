#pragma once

#include "parallel/communicator.hpp"

namespace shortfall::app {

/// Throws InvalidInput, on all ranks, unless all were started with the same arguments and are the
/// same program.
void check_same_start(int argc, char** argv, detail::Communicator& ranks);

}  // namespace shortfall::app
