#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"
#include "parallel/threads.hpp"

namespace shortfall::detail {

/// The states of a model divided among ranks: each has consecutive states of its own, in vectors of
/// one element per own state, and reads values of some others, its halo. In one process all states
/// are its own.
///
/// Sums over states are formed in blocks whose size depends on the number of states alone, and the
/// sums of blocks are added in order of state. A block belongs to one rank. So a sum has the same
/// bits for any number of ranks and threads.
class Partition {
 public:
  /// In one process.
  explicit Partition(std::size_t total);

  /// Rank r has the states begin[r] up to begin[r + 1], multiples of block_size(total) or the end.
  /// `halo`: the states of other ranks that this one reads, in increasing order.
  Partition(Communicator& communicator, std::vector<std::size_t> begin,
            std::vector<std::uint32_t> halo);

  std::size_t first() const { return begin_[communicator_->rank()]; }
  std::size_t states() const { return begin_[communicator_->rank() + 1] - first(); }  ///< own
  std::size_t total() const { return begin_.back(); }
  std::span<const std::size_t> begin() const { return begin_; }
  Communicator& communicator() const { return *communicator_; }

  /// The values of own states and of the halo, in order of state, until the next call. In one
  /// process that is `own` itself.
  const double* read(const double* own) const;

  /// The element of the first state of all, on every rank; -∞ for one that is not a number.
  double at_first_state(const double* own) const;

  /// Calls sweep(values, own) on one rank after the other: with `values` as from read(), and `own`
  /// those of them that are this rank's, to be changed in place. `own` then has what it left.
  void in_turn(std::span<double> own,
               const std::function<void(const double* values, double* own)>& sweep) const;

  /// The index of a state in what read() returns: one of its own, or of the halo.
  std::uint32_t local_index(std::uint32_t state) const;
  /// And the other way round.
  std::uint32_t state_of(std::uint32_t local_index) const;

  /// The elements of all states, on every rank.
  template <class T>
  std::vector<T> gather(std::span<const T> own) const {
    std::vector<T> all(total());
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(first()));
    communicator_->gather(std::span(all), begin_);
    return all;
  }

  /// The results of body(first, last) for the blocks of own states, merged over all blocks of all
  /// ranks in order of state by merge(result, next). A task has this many states, or one block.
  template <class Result, class Body, class Merge>
  Result reduce(std::size_t states_per_task, const Result& empty, const Body& body,
                const Merge& merge) const {
    const std::size_t block = block_size(total());
    std::vector<Result> parts((total() + block - 1) / block, empty);
    Result* const own = parts.data() + first() / block;
    const std::size_t task = std::max<std::size_t>(states_per_task / block, 1) * block;
    parallel_for_blocks(states(), task, [&](std::size_t task_first, std::size_t task_last) {
      for (std::size_t at = task_first; at < task_last; at += block) {
        own[at / block] = body(at, std::min(at + block, task_last));
      }
    });
    communicator_->gather(std::span(parts), blocks_begin_);
    Result result = empty;
    for (const Result& part : parts) merge(result, part);
    return result;
  }

  /// At least 64, and large enough that there are at most 1024 blocks.
  static std::size_t block_size(std::size_t total);

  /// Where the states of each rank begin, and the total: as near to equal work as blocks allow. The
  /// work of a block is its outcomes, and one for each state.
  static std::vector<std::size_t> divide(std::size_t total,
                                         std::span<const std::uint64_t> outcomes_by_block,
                                         std::size_t ranks);

 private:
  Communicator* communicator_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> blocks_begin_;
  std::vector<std::uint32_t> halo_;
  std::size_t halo_before_ = 0;  ///< how many of them are before the own states
  std::unique_ptr<HaloExchange> exchange_;
  mutable std::vector<double> values_;  ///< own and halo
};

}  // namespace shortfall::detail
