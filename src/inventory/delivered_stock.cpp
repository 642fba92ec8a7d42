#include "inventory/delivered_stock.hpp"

#include <algorithm>

#include "inventory/cumulative_stock.hpp"
#include "parallel/threads.hpp"

namespace shortfall::inventory {
DeliveredStock::DeliveredStock(const Model& model, int threads)
    : index_(model.shelf_life(), model.capacity()), expiring_(index_.size()) {
  const StockIndex& stocks = model.stocks();
  entry_begin_.push_back(0);
  for (std::size_t t = 0; t <= model.capacity(); ++t) {
    width_.push_back(std::min(t, model.max_demand() + 1));
    stride_.push_back(padded(width_[t]));
    entry_begin_.push_back(entry_begin_[t] + index_.layer_size(t) * stride_[t]);
    first_without_fresh_.push_back(index_.layer_size(t) - stocks.layer_size(t));
  }
  next_ = shortfall::detail::ZeroedArray<std::uint32_t>(entries());
  constexpr std::size_t rows_per_task = 1024;
  shortfall::detail::Workers(threads).run([&] {
    for (std::size_t t = 0; t <= model.capacity(); ++t) {
      shortfall::detail::parallel_for_blocks(
          index_.layer_size(t), rows_per_task,
          [&](std::size_t first, std::size_t last) { fill_layer(stocks, t, first, last); });
    }
  });
}

/// Demand takes the oldest units first. So a demand of d leaves what a demand of d - 1 leaves of w
/// without its oldest unit, whose row, in the layer below, has been filled.
void DeliveredStock::fill_layer(const StockIndex& stocks, std::size_t total, std::size_t begin,
                                std::size_t end) {
  if (total == 0) return;  // its row is empty, and no unit expires
  CumulativeStock w(index_, index_.layer_begin(total) + begin);
  const std::uint32_t* const below = &next_[entry_begin_[total - 1]];
  const std::size_t below_begin = index_.layer_begin(total - 1);
  for (std::size_t row = begin; row < end; ++row, w.advance()) {
    expiring_[index_.layer_begin(total) + row] = static_cast<std::uint8_t>(w[1]);
    std::uint32_t* const next = &next_[entry_begin_[total] + row * stride_[total]];
    std::uint32_t rank_below = 0;  // without the oldest unit
    for (std::size_t j = 1; j <= index_.length(); ++j) {
      if (w[j] > 0) rank_below += index_.terms(j)[w[j] - 1];
    }
    std::uint32_t rank = 0;  // without demand, the first age expires
    for (std::size_t j = 1; j <= stocks.length(); ++j) rank += stocks.terms(j)[w[j + 1] - w[1]];
    next[0] = rank;
    std::copy_n(below + (rank_below - below_begin) * stride_[total - 1], width_[total] - 1,
                next + 1);
  }
}

double DeliveredStock::entry_count(const Model& model) {
  double count = 0.0;
  for (std::size_t t = 0; t <= model.capacity(); ++t) {
    const double layer = StockIndex::count(model.shelf_life() - 1, t);
    count += layer * static_cast<double>(padded(std::min(t, model.max_demand() + 1)));
  }
  return count;
}

}  // namespace shortfall::inventory
