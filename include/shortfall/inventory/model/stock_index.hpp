#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shortfall::inventory {

/// The longest accepted shelf life.
inline constexpr std::size_t longest_shelf_life = 10;

/// The largest accepted capacity: amounts fit in a byte.
inline constexpr std::size_t largest_capacity = 250;

/// Numbers the stock vectors x = (x_1, .., x_L) of non-negative integers with x_1 + .. + x_L ≤ C
/// consecutively and without a table. With cumulative sums s_i = x_1 + .. + x_i,
///
///   rank(x) = Σ_i binomial(s_i + i - 1, i),
///
/// the combinatorial number system on s_i + i - 1. The vectors of total ≤ t are the first
/// binomial(t + L, L), so that totals form consecutive layers; the empty stock is 0, and L = 0 has
/// no other vector. Within a layer ranks increase first with s_{L-1}, then s_{L-2}, .., so that
/// vectors with x_L = 0 come last, and neighbours differ in s_1 alone. Check: L = 2, C = 1 gives
/// (0,0), (0,1), (1,0).
class StockIndex {
 public:
  /// Throws InvalidInput for L > longest_shelf_life, C > largest_capacity, or a count
  /// above 2³² - 1.
  StockIndex(std::size_t length, std::size_t capacity);

  std::size_t length() const { return length_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return layer_begin(capacity_ + 1); }

  /// The ranks of total t are layer_begin(t) .. layer_begin(t + 1) - 1, for t = 0..C.
  std::size_t layer_begin(std::size_t t) const;
  std::size_t layer_size(std::size_t t) const { return layer_begin(t + 1) - layer_begin(t); }

  /// terms(i)[s] = binomial(s + i - 1, i), the contribution of s_i = s to the
  /// rank; i = 1..L, s = 0..C+1.
  const std::uint32_t* terms(std::size_t i) const { return &term_[(i - 1) * width()]; }

  std::uint32_t rank(std::span<const std::uint8_t> stock) const;

  /// Writes the vector of this rank.
  void unrank(std::uint32_t rank, std::span<std::uint8_t> stock) const;

  /// The number of vectors of length L and total ≤ C, as a double that cannot overflow.
  static double count(std::size_t length, std::size_t capacity);

 private:
  std::size_t width() const { return capacity_ + 2; }

  std::size_t length_;
  std::size_t capacity_;
  std::vector<std::uint32_t> term_;
};

}  // namespace shortfall::inventory
