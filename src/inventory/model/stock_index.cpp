#include "shortfall/inventory/model/stock_index.hpp"

#include <algorithm>
#include <limits>

#include "errors/require.hpp"

namespace shortfall::inventory {

double StockIndex::count(std::size_t length, std::size_t capacity) {
  double count = 1.0;
  for (std::size_t i = 1; i <= length; ++i) {
    count *= static_cast<double>(capacity + i) / static_cast<double>(i);
  }
  return count;
}

StockIndex::StockIndex(std::size_t length, std::size_t capacity)
    : length_(length), capacity_(capacity) {
  require(length <= longest_shelf_life && capacity <= largest_capacity,
          "{} ages and capacity {}; accepted: at most {} and {}", length, capacity,
          longest_shelf_life, largest_capacity);
  require(count(length, capacity) <= std::numeric_limits<std::uint32_t>::max(),
          "{} ages and capacity {} make {:.3g} stock vectors; accepted: "
          "below 4.29e9",
          length, capacity, count(length, capacity));
  // terms(i)[s] counts the vectors of i ages with total < s: those with total < s - 1, and those of
  // total s - 1, which are as many as the vectors of i - 1 ages with total < s.
  term_.resize(length * width());
  for (std::size_t i = 1; i <= length; ++i) {
    std::uint32_t* const row = &term_[(i - 1) * width()];
    for (std::size_t s = 1; s < width(); ++s) {
      row[s] = row[s - 1] + (i == 1 ? 1 : terms(i - 1)[s]);
    }
  }
}

std::size_t StockIndex::layer_begin(std::size_t t) const {
  return length_ == 0 ? std::min<std::size_t>(t, 1) : terms(length_)[t];
}

std::uint32_t StockIndex::rank(std::span<const std::uint8_t> stock) const {
  std::uint32_t rank = 0;
  std::size_t s = 0;
  for (std::size_t i = 1; i <= length_; ++i) {
    s += stock[i - 1];
    rank += terms(i)[s];
  }
  return rank;
}

void StockIndex::unrank(std::uint32_t rank, std::span<std::uint8_t> stock) const {
  std::size_t above = capacity_;  // s_{i+1}
  for (std::size_t i = length_; i >= 1; --i) {
    const std::uint32_t* const row = terms(i);
    const std::uint32_t* const beyond = std::upper_bound(row, row + above + 1, rank);
    const auto s = static_cast<std::size_t>(beyond - row - 1);
    rank -= row[s];
    if (i < length_) stock[i] = static_cast<std::uint8_t>(above - s);
    above = s;
  }
  if (length_ > 0) stock[0] = static_cast<std::uint8_t>(above);
}

}  // namespace shortfall::inventory
