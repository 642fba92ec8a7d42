#pragma once

#include <mpi.h>

#include <stdexcept>

namespace shortfall::mpi {

/// A function of MPI failed, for example because a network did.
class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws MpiError that names the function unless `code`, which it returned, is MPI_SUCCESS.
void check(int code, const char* function);

}  // namespace shortfall::mpi
