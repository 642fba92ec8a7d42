#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "mpi/mpi_communicator.hpp"

namespace shortfall::mpi {

/// How a rank's part of a program ended.
struct Ending {
  int exit_code = 0;         ///< not 0: it failed
  std::string message = {};  ///< why it failed, for people; may be empty
};

/// MPI from the start of a program to its end, with or without mpirun. The constructor initialises
/// MPI, and end() must be called exactly once, on every rank.
class Session {
 public:
  Session(int& argc, char**& argv);
  /// Aborts all ranks if end() was not called.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  MpiCommunicator& communicator() { return *communicator_; }

  /// Ends the program on all ranks with one message and one exit code: those of the lowest rank
  /// that failed. `say` prints the message. Waits for the ranks that are still at work. But if this
  /// rank failed and others are still at work after `grace_period`, they may wait for this one for
  /// ever: then it is not said whether they would fail, too, and all are ended by MPI_Abort.
  ///
  /// Returns the exit code of this process: that of the program on rank 0, and 0 on others, because
  /// mpirun kills all processes as soon as one has another exit code.
  int end(const Ending& ending, const std::function<void(const std::string&)>& say);

 private:
  struct Vote;
  bool all_ended(Vote& vote, const Ending& ending);
  bool is_lower_rank_failing() const;
  void tell_higher_ranks();
  void receive_what_lower_ranks_told();
  [[noreturn]] void abort(const Ending& ending);

  std::optional<MpiCommunicator> communicator_;
  MPI_Comm endings_ = MPI_COMM_NULL;  // messages about failures, apart from all others
  int rank_ = 0;
  int size_ = 1;
  bool has_told_ = false;
  bool has_ended_ = false;
};

/// How long a rank that failed waits for the others before it ends them: long enough for ranks that
/// fail alike to say so together.
inline constexpr std::chrono::milliseconds grace_period{500};

/// Waits until all operations are done, without keeping a core busy. False if they are not when the
/// time is over; without a limit, never.
bool are_done_within(std::optional<std::chrono::milliseconds> limit,
                     std::span<MPI_Request> operations);

}  // namespace shortfall::mpi
