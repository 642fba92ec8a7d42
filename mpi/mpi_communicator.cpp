#include "mpi/mpi_communicator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "mpi/mpi_halo_exchange.hpp"

namespace shortfall::mpi {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// Integers in the order of the numbers.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double number_of(std::uint64_t key) {
  return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

std::size_t count_on_this_machine(MPI_Comm comm) {
  MPI_Comm machine = MPI_COMM_NULL;
  check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
        "MPI_Comm_split_type");
  int size = 1;
  check(MPI_Comm_size(machine, &size), "MPI_Comm_size");
  check(MPI_Comm_free(&machine), "MPI_Comm_free");
  return static_cast<std::size_t>(size);
}

/// Calls body(first, count) for consecutive parts of `total` elements.
template <class Body>
void for_parts(std::size_t total, std::size_t most, const Body& body) {
  for (std::size_t first = 0; first < total; first += most) {
    body(first, static_cast<int>(std::min(most, total - first)));
  }
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm parent, std::size_t most_per_call)
    : most_per_call_(most_per_call) {
  check(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
  ranks_on_machine_ = count_on_this_machine(comm_);
  counts_.resize(size_);
  places_.resize(size_);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Comm_free(&comm_);
}

void MpiCommunicator::max(std::span<double> numbers) {
  if (size_ == 1) return;
  keys_.resize(numbers.size());
  std::ranges::transform(numbers, keys_.begin(), key_of);
  for_parts(keys_.size(), most_per_call_, [&](std::size_t first, int count) {
    check(MPI_Allreduce(MPI_IN_PLACE, keys_.data() + first, count, MPI_UINT64_T, MPI_MAX, comm_),
          "MPI_Allreduce");
  });
  std::ranges::transform(keys_, numbers.begin(), number_of);
}

void MpiCommunicator::sum(std::span<std::uint64_t> counts) {
  if (size_ == 1) return;
  for_parts(counts.size(), most_per_call_, [&](std::size_t first, int count) {
    check(MPI_Allreduce(MPI_IN_PLACE, counts.data() + first, count, MPI_UINT64_T, MPI_SUM, comm_),
          "MPI_Allreduce");
  });
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes, std::size_t from) {
  for_parts(bytes.size(), most_per_call_, [&](std::size_t first, int count) {
    check(MPI_Bcast(bytes.data() + first, count, MPI_BYTE, static_cast<int>(from), comm_),
          "MPI_Bcast");
  });
}

void MpiCommunicator::gather_bytes(std::span<std::byte> whole, std::span<const std::size_t> begin) {
  if (size_ == 1) return;
  if (whole.size() > most_per_call_) {  // places would not be of type int, either
    for (std::size_t r = 0; r < size_; ++r) {
      broadcast(whole.subspan(begin[r], begin[r + 1] - begin[r]), r);
    }
    return;
  }
  for (std::size_t r = 0; r < size_; ++r) {
    counts_[r] = static_cast<int>(begin[r + 1] - begin[r]);
    places_[r] = static_cast<int>(begin[r]);
  }
  check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole.data(), counts_.data(),
                       places_.data(), MPI_BYTE, comm_),
        "MPI_Allgatherv");
}

std::vector<std::vector<std::byte>> MpiCommunicator::all_to_all(
    std::vector<std::vector<std::byte>> bytes) {
  std::vector<std::uint64_t> sent(size_);
  std::vector<std::uint64_t> received(size_);
  std::ranges::transform(bytes, sent.begin(), [](const auto& part) { return part.size(); });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, comm_),
        "MPI_Alltoall");
  std::vector<std::vector<std::byte>> result(size_);
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    result[r].resize(received[r]);
    for_parts(received[r], most_per_call_, [&](std::size_t first, int count) {
      check(MPI_Irecv(result[r].data() + first, count, MPI_BYTE, static_cast<int>(r), 0, comm_,
                      &requests.emplace_back()),
            "MPI_Irecv");
    });
  }
  for (std::size_t r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    for_parts(sent[r], most_per_call_, [&](std::size_t first, int count) {
      check(MPI_Isend(bytes[r].data() + first, count, MPI_BYTE, static_cast<int>(r), 0, comm_,
                      &requests.emplace_back()),
            "MPI_Isend");
    });
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  result[rank_] = std::move(bytes[rank_]);
  return result;
}

std::unique_ptr<detail::HaloExchange> MpiCommunicator::plan_exchange(const detail::HaloPlan& plan) {
  std::vector<std::vector<std::byte>> wanted(size_);
  for (std::size_t first = 0; first < plan.owner.size();) {
    const std::uint32_t owner = plan.owner[first];
    std::size_t last = first;
    while (last < plan.owner.size() && plan.owner[last] == owner) ++last;
    const auto indices = std::as_bytes(std::span(plan.index).subspan(first, last - first));
    wanted.at(owner).assign(indices.begin(), indices.end());
    first = last;
  }
  std::vector<std::size_t> read(size_);
  std::ranges::transform(wanted, read.begin(), [](const auto& indices) {
    return indices.size() / sizeof(std::uint32_t);
  });
  std::vector<std::vector<std::uint32_t>> asked(size_);
  const auto replies = all_to_all(std::move(wanted));
  for (std::size_t r = 0; r < size_; ++r) {
    asked[r].resize(replies[r].size() / sizeof(std::uint32_t));
    if (!asked[r].empty()) std::memcpy(asked[r].data(), replies[r].data(), replies[r].size());
  }
  return std::make_unique<MpiHaloExchange>(comm_, read, asked, most_per_call_);
}

void check(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw MpiError(std::string(function) + ": " +
                 std::string(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace shortfall::mpi
