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
  next_.resize(entries());
  constexpr std::size_t rows_per_task = 1024;
  shortfall::detail::Workers(threads).run([&] {
    for (std::size_t t = 0; t <= model.capacity(); ++t) {
      shortfall::detail::parallel_for_blocks(
          index_.layer_size(t), rows_per_task,
          [&](std::size_t first, std::size_t last) { fill_layer(stocks, t, first, last); });
    }
  });
}

void DeliveredStock::fill_layer(const StockIndex& stocks, std::size_t total, std::size_t begin,
                                std::size_t end) {
  CumulativeStock w(index_, index_.layer_begin(total) + begin);
  for (std::size_t row = begin; row < end; ++row, w.advance()) {
    expiring_[index_.layer_begin(total) + row] = static_cast<std::uint8_t>(w[1]);
    std::uint32_t* const next = &next_[entry_begin_[total] + row * stride_[total]];
    for (std::size_t d = 0; d < width_[total]; ++d) {
      // Demand subtracts d from every cumulative sum; the rest of the first age then expires.
      const std::size_t gone = std::max(w[1], d);
      std::uint32_t rank = 0;
      for (std::size_t j = 1; j <= stocks.length(); ++j) {
        if (w[j + 1] > gone) rank += stocks.terms(j)[w[j + 1] - gone];
      }
      next[d] = rank;
    }
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
