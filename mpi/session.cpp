#include "mpi/session.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "mpi/mpi_communicator.hpp"

namespace shortfall::mpi {

namespace {

constexpr int failure_tag = 1;

/// Says where, if it is this rank's problem alone.
std::string message_from(int rank, const std::string& message) {
  if (rank == 0 || message.empty()) return message;
  std::array<char, MPI_MAX_PROCESSOR_NAME> machine{};
  int length = 0;
  check(MPI_Get_processor_name(machine.data(), &length), "MPI_Get_processor_name");
  return message + " (rank " + std::to_string(rank) + ", on " + machine.data() + ")";
}

}  // namespace

/// The lowest rank that failed; complete once all ranks have ended.
struct Session::Vote {
  int mine;
  int lowest = 0;
  MPI_Request request = MPI_REQUEST_NULL;

  bool is_complete_within(std::optional<std::chrono::milliseconds> limit) {
    return are_done_within(limit, {&request, 1});
  }
};

Session::Session(int& argc, char**& argv) {
  int level = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
  if (level < MPI_THREAD_FUNNELED) {
    throw MpiError("this MPI does not support threads; accepted: MPI_THREAD_FUNNELED");
  }
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  communicator_.emplace(MPI_COMM_WORLD);
  check(MPI_Comm_dup(MPI_COMM_WORLD, &endings_), "MPI_Comm_dup");
  rank_ = static_cast<int>(communicator_->rank());
  size_ = static_cast<int>(communicator_->size());
}

Session::~Session() {
  if (!has_ended_) MPI_Abort(MPI_COMM_WORLD, 1);
}

int Session::end(const Ending& ending, const std::function<void(const std::string&)>& say) {
  const bool has_failed = ending.exit_code != 0;
  Vote vote{.mine = has_failed ? rank_ : size_};
  check(MPI_Iallreduce(&vote.mine, &vote.lowest, 1, MPI_INT, MPI_MIN, endings_, &vote.request),
        "MPI_Iallreduce");
  if (!all_ended(vote, ending)) {
    if (!is_lower_rank_failing() && !ending.message.empty()) {
      say(message_from(rank_, ending.message));
    }
    abort(ending);
  }
  receive_what_lower_ranks_told();
  int code = ending.exit_code;
  if (vote.lowest < size_) {
    if (vote.lowest == rank_ && !ending.message.empty()) {
      say(message_from(rank_, ending.message));
    }
    check(MPI_Bcast(&code, 1, MPI_INT, vote.lowest, endings_), "MPI_Bcast");
  }
  check(MPI_Comm_free(&endings_), "MPI_Comm_free");
  communicator_.reset();
  has_ended_ = true;
  check(MPI_Finalize(), "MPI_Finalize");
  return rank_ == 0 ? code : 0;
}

bool Session::all_ended(Vote& vote, const Ending& ending) {
  if (ending.exit_code == 0) return vote.is_complete_within(std::nullopt);
  if (vote.is_complete_within(grace_period)) return true;
  tell_higher_ranks();
  // A lower rank that failed no later than this one has told us before this is over.
  return vote.is_complete_within(grace_period);
}

void Session::tell_higher_ranks() {
  has_told_ = true;
  for (int r = rank_ + 1; r < size_; ++r) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(nullptr, 0, MPI_BYTE, r, failure_tag, endings_, &request), "MPI_Isend");
    check(MPI_Request_free(&request), "MPI_Request_free");
  }
}

bool Session::is_lower_rank_failing() const {
  int is_told = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, endings_, &is_told, MPI_STATUS_IGNORE),
        "MPI_Iprobe");
  return is_told != 0;
}

void Session::receive_what_lower_ranks_told() {
  const int mine = has_told_ ? 1 : 0;
  std::vector<int> told(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&mine, 1, MPI_INT, told.data(), 1, MPI_INT, endings_), "MPI_Allgather");
  for (int r = 0; r < rank_; ++r) {
    if (told[static_cast<std::size_t>(r)] == 0) continue;
    check(MPI_Recv(nullptr, 0, MPI_BYTE, r, failure_tag, endings_, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

void Session::abort(const Ending& ending) {
  // The lower rank that failed speaks and aborts; this is only in case that it does not.
  if (is_lower_rank_failing()) std::this_thread::sleep_for(4 * grace_period);
  MPI_Abort(MPI_COMM_WORLD, ending.exit_code);
  std::abort();
}

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
