#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "inventory/kernel/backup_kernel.hpp"
#include "parallel/communicator.hpp"
#include "parallel/threads.hpp"
#include "shortfall/inventory/model/stock_index.hpp"

namespace shortfall::inventory {

/// The stocks of a day in batches, each backed up by one process. All have the values of all stocks
/// and gather them after a sweep; what only the backup of a stock reads, its process alone has.
///
/// One batch after the other goes to the process with the least work so far. Neighbours have much
/// the same work, whatever a sweep computes, so every process gets its part of the stocks of each
/// total, and they finish together even where the estimate is rough. Batches are cut so small that
/// each is a small part of what a process has to do. The arithmetic of a stock does not depend on
/// its batch.
class Batches {
 public:
  /// `work` estimates the work of a stock, by total.
  Batches(const StockIndex& stocks, std::span<const double> work,
          shortfall::detail::Communicator& communicator);

  shortfall::detail::Communicator& communicator() const { return communicator_; }

  /// Those of this process, in order of stock.
  std::span<const StockRange> own() const { return own_; }
  /// The number of stocks in them.
  std::size_t own_stocks() const;

  /// In parallel: visit(x, k) for each stock x of this process, the k-th of them.
  template <class Visit>
  void for_each_own(const Visit& visit) const {
    shortfall::detail::parallel_for(own_.size(), [&](std::size_t b) {
      const StockRange& batch = own_[b];
      for (std::size_t x = batch.begin; x < batch.end; ++x) {
        visit(x, batch.first_own + x - batch.begin);
      }
    });
  }

  /// The elements of own stocks from each process, so that all have all.
  template <class T>
  void gather(std::span<T> by_stock) {
    if (communicator_.size() == 1) return;
    copy_to_packed(std::as_bytes(by_stock), sizeof(T));
    std::vector<std::size_t> begin(first_);
    for (std::size_t& b : begin) b *= sizeof(T);
    communicator_.gather_bytes({packed_.data(), by_stock.size_bytes()}, begin);
    copy_from_packed(std::as_writable_bytes(by_stock), sizeof(T));
  }

 private:
  void copy_to_packed(std::span<const std::byte> by_stock, std::size_t size);
  void copy_from_packed(std::span<std::byte> by_stock, std::size_t size) const;

  shortfall::detail::Communicator& communicator_;
  std::vector<StockRange> all_;  // by process, each with its index in the packed order
  std::vector<StockRange> own_;
  std::vector<std::size_t> first_;  // of each process in the packed order, and the number of stocks
  std::vector<std::byte> packed_;   // elements by process
};

}  // namespace shortfall::inventory
