#include "mpi/grace_period.hpp"

#include <thread>

#include "mpi/mpi_call.hpp"

namespace shortfall::mpi {

bool are_done_within(std::optional<std::chrono::milliseconds> limit,
                     std::span<MPI_Request> operations) {
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(operations.size()), operations.data(), &done,
                      MPI_STATUSES_IGNORE),
          "MPI_Testall");
    if (done != 0) return true;
    if (limit && std::chrono::steady_clock::now() - start > *limit) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace shortfall::mpi
