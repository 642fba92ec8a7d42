#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "parallel/communicator.hpp"

namespace shortfall::mpi {

/// The ranks of MPI as a communicator. Only the thread that initialised MPI may call it
/// (MPI_THREAD_FUNNELED). Functions throw MpiError if MPI fails; a rank that waits for one that
/// never comes is ended by Session.
///
/// Maxima are those of the total order of IEEE 754, in which -0 < +0: which of two equal zeros
/// MPI_MAX returns depends on the order of its operations, and so on the number of ranks.
class MpiCommunicator final : public detail::Communicator {
 public:
  /// The most elements in one call of MPI, whose counts are of type int. More go in several calls;
  /// tests set it lower.
  static constexpr std::size_t largest_count = std::size_t{1} << 30;

  /// A copy of `parent`, so that messages of others on it are not taken for ours.
  explicit MpiCommunicator(MPI_Comm parent, std::size_t most_per_call = largest_count);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  std::size_t ranks_on_machine() const override { return ranks_on_machine_; }

  using Communicator::max;
  using Communicator::sum;
  void max(std::span<double> numbers) override;
  void sum(std::span<std::uint64_t> counts) override;
  void gather_bytes(std::span<std::byte> whole, std::span<const std::size_t> begin) override;
  std::vector<std::vector<std::byte>> all_to_all(
      std::vector<std::vector<std::byte>> bytes) override;
  std::unique_ptr<detail::HaloExchange> plan_exchange(const detail::HaloPlan& plan) override;

 private:
  void broadcast(std::span<std::byte> bytes, std::size_t from);

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t rank_ = 0;
  std::size_t size_ = 1;
  std::size_t ranks_on_machine_ = 1;
  std::size_t most_per_call_;
  std::vector<std::uint64_t> keys_;  // of max()
  std::vector<int> counts_;          // of gather_bytes()
  std::vector<int> places_;
};

/// A function of MPI failed, for example because a network did.
class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws MpiError that names the function unless `code`, which it returned, is MPI_SUCCESS.
void check(int code, const char* function);

}  // namespace shortfall::mpi
