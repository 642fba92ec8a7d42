#pragma once

#include "parallel/communicator.hpp"

namespace shortfall::mpi {

/// Restricts the vector kernels of every rank to an instruction set that all of their processors
/// have. Otherwise last digits would depend on which processor computes which state. Call it before
/// anything is computed.
void use_instructions_of_all(detail::Communicator& communicator);

}  // namespace shortfall::mpi
