#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <span>

namespace shortfall::mpi {

/// How long a rank that failed waits for the others before it ends them: long enough for ranks that
/// fail alike to say so together.
inline constexpr std::chrono::milliseconds grace_period{500};

/// Waits until all operations are done, without keeping a core busy. False if they are not when the
/// time is over; without a limit, never.
bool are_done_within(std::optional<std::chrono::milliseconds> limit,
                     std::span<MPI_Request> operations);

}  // namespace shortfall::mpi
