#include "inventory/kernel/batches.hpp"

#include <algorithm>

namespace shortfall::inventory {
namespace {

/// The least number of batches that the work of a process is cut into, as far as stocks allow.
constexpr double batches_per_process = 16.0;

/// Below this, a batch would fetch rows for too few stocks.
constexpr std::size_t smallest_batch = 16;

double total_work(const StockIndex& stocks, std::span<const double> work) {
  double sum = 0.0;
  for (std::size_t t = 0; t < work.size(); ++t) {
    sum += work[t] * static_cast<double>(stocks.layer_size(t));
  }
  return sum;
}

/// The batches of each process; alone, a process needs no smaller ones.
std::vector<std::vector<StockRange>> assign(const StockIndex& stocks, std::span<const double> work,
                                            std::size_t processes) {
  const double most =
      total_work(stocks, work) / (batches_per_process * static_cast<double>(processes));
  std::vector<std::vector<StockRange>> batches(processes);
  std::vector<double> load(processes, 0.0);
  for (std::size_t t = 0; t < work.size(); ++t) {
    std::size_t size = largest_batch;
    if (processes > 1 && most < static_cast<double>(largest_batch) * work[t]) {
      size = std::max(smallest_batch, static_cast<std::size_t>(most / work[t]));
    }
    const std::size_t pieces = (stocks.layer_size(t) + size - 1) / size;
    for (std::size_t k = 0; k < pieces; ++k) {
      const std::size_t begin = stocks.layer_begin(t) + stocks.layer_size(t) * k / pieces;
      const std::size_t end = stocks.layer_begin(t) + stocks.layer_size(t) * (k + 1) / pieces;
      const auto least = std::ranges::min_element(load);
      *least += work[t] * static_cast<double>(end - begin);
      batches[static_cast<std::size_t>(least - load.begin())].push_back({t, begin, end, 0});
    }
  }
  return batches;
}

}  // namespace

Batches::Batches(const StockIndex& stocks, std::span<const double> work,
                 shortfall::detail::Communicator& communicator)
    : communicator_(communicator), first_{0} {
  std::size_t count = 0;
  for (const std::vector<StockRange>& of_process : assign(stocks, work, communicator.size())) {
    for (StockRange batch : of_process) {
      batch.first_own = count;
      all_.push_back(batch);
      if (first_.size() == communicator.rank() + 1) {
        batch.first_own -= first_.back();
        own_.push_back(batch);
      }
      count += batch.end - batch.begin;
    }
    first_.push_back(count);
  }
}

std::size_t Batches::own_stocks() const {
  return first_[communicator_.rank() + 1] - first_[communicator_.rank()];
}

void Batches::copy_to_packed(std::span<const std::byte> by_stock, std::size_t size) {
  packed_.resize(std::max(packed_.size(), by_stock.size()));
  const std::size_t first = first_[communicator_.rank()];
  shortfall::detail::parallel_for(own_.size(), [&](std::size_t b) {
    const StockRange& batch = own_[b];
    std::memcpy(&packed_[(first + batch.first_own) * size], &by_stock[batch.begin * size],
                (batch.end - batch.begin) * size);
  });
}

void Batches::copy_from_packed(std::span<std::byte> by_stock, std::size_t size) const {
  shortfall::detail::parallel_for(all_.size(), [&](std::size_t b) {
    const StockRange& batch = all_[b];
    std::memcpy(&by_stock[batch.begin * size], &packed_[batch.first_own * size],
                (batch.end - batch.begin) * size);
  });
}

}  // namespace shortfall::inventory
