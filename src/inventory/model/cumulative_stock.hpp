#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shortfall/inventory/model/stock_index.hpp"

namespace shortfall::inventory {

/// A stock vector as its cumulative sums s_1 ≤ .. ≤ s_L, which can be advanced to the next rank
/// without a search.
class CumulativeStock {
 public:
  CumulativeStock(const StockIndex& index, std::size_t rank) : length_(index.length()) {
    std::array<std::uint8_t, longest_shelf_life> stock{};
    index.unrank(static_cast<std::uint32_t>(rank), {stock.data(), length_});
    std::size_t s = 0;
    for (std::size_t i = 1; i <= length_; ++i) sums_[i] = s += stock[i - 1];
  }

  /// s_i for i = 1..L, and s_0 = 0.
  std::size_t operator[](std::size_t i) const { return sums_[i]; }
  std::size_t total() const { return sums_[length_]; }
  /// x_i.
  std::size_t amount(std::size_t i) const { return sums_[i] - sums_[i - 1]; }

  /// The next rank: increments the first s_i that may grow, and resets those below it to 0.
  void advance() {
    std::size_t i = 1;
    while (i < length_ && sums_[i] == sums_[i + 1]) sums_[i++] = 0;
    ++sums_[i];
  }
  /// The same `count` times, where only s_1 grows up to the last.
  void advance_past(std::size_t count) {
    sums_[1] += count - 1;
    advance();
  }

 private:
  std::size_t length_;
  std::array<std::size_t, longest_shelf_life + 2> sums_{};
};

}  // namespace shortfall::inventory
