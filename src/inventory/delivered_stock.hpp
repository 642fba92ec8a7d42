#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/inventory/model.hpp"
#include "zeroed_array.hpp"

namespace shortfall::inventory {

/// The stock right after delivery, w = x + Y with m ages, and the stock that each demand leaves. A
/// row holds the demands d < |w| that leave some stock, d = 0..width(|w|)-1; every other demand
/// empties the stock, at a cost that depends on |w| alone. Rows of the same total form a layer with
/// a common stride.
class DeliveredStock {
 public:
  static constexpr std::size_t lanes = 4;  ///< a row's stride is a multiple of it

  /// Rounds up to a multiple of the lanes.
  static std::size_t padded(std::size_t size) { return (size + lanes - 1) / lanes * lanes; }

  explicit DeliveredStock(const Model& model, int threads);

  const StockIndex& index() const { return index_; }
  std::size_t width(std::size_t total) const { return width_[total]; }
  std::size_t stride(std::size_t total) const { return stride_[total]; }
  /// The first entry of a layer among the entries of all rows.
  std::size_t entry_begin(std::size_t total) const { return entry_begin_[total]; }
  std::size_t entries() const { return entry_begin_.back(); }

  /// By entry: the rank of the stock x' in the next period. Entries beyond the width are 0.
  const std::uint32_t* next() const { return next_.data(); }

  /// By rank: w_1, the units that expire unless they are sold.
  const std::uint8_t* expiring() const { return expiring_.data(); }

  /// The row of w = (x, 0) in its layer, when nothing was ordered.
  std::size_t row_without_order(std::size_t rank_in_layer, std::size_t total) const {
    return first_without_fresh_[total] + rank_in_layer;
  }
  std::size_t first_without_fresh(std::size_t total) const { return first_without_fresh_[total]; }

  /// The number of entries, without building them, as a double that cannot overflow.
  static double entry_count(const Model& model);

 private:
  void fill_layer(const StockIndex& stocks, std::size_t total, std::size_t begin, std::size_t end);

  StockIndex index_;
  std::vector<std::size_t> width_;
  std::vector<std::size_t> stride_;
  std::vector<std::size_t> entry_begin_;
  std::vector<std::size_t> first_without_fresh_;
  shortfall::detail::ZeroedArray<std::uint32_t> next_;
  shortfall::detail::ZeroedArray<std::uint8_t> expiring_;
};

}  // namespace shortfall::inventory
