#include "mpi/mpi_call.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace shortfall::mpi {

void check(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw MpiError(std::string(function) + ": " +
                 std::string(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace shortfall::mpi
