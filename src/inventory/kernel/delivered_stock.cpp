#include "inventory/kernel/delivered_stock.hpp"

namespace shortfall::inventory {

DeliveredStock::DeliveredStock(const Model& model)
    : index_(model.shelf_life(), model.capacity()),
      term_width_(2 * (model.capacity() + 1) + lanes) {
  const StockIndex& stocks = model.stocks();
  entry_begin_.push_back(0);
  for (std::size_t t = 0; t <= model.capacity(); ++t) {
    width_.push_back(std::min(t, model.max_demand() + 1));
    stride_.push_back(padded(width_[t]));
    entry_begin_.push_back(entry_begin_[t] + index_.layer_size(t) * stride_[t]);
    first_without_fresh_.push_back(index_.layer_size(t) - stocks.layer_size(t));
  }
  falling_terms_.assign(stocks.length() * term_width_, 0);
  for (std::size_t j = 1; j <= stocks.length(); ++j) {
    std::reverse_copy(stocks.terms(j), stocks.terms(j) + model.capacity() + 1,
                      &falling_terms_[(j - 1) * term_width_]);
  }
}

/// First-expire-first-out leaves cumulative sums (w_2 + .. + w_{j+1} + w_1 - d)⁺. Term by term, the
/// ranks of consecutive demands are stretches of a table that ends with zeros.
void DeliveredStock::write_left(const CumulativeStock& w, std::size_t demands,
                                std::array<std::uint32_t, largest_left>& left) const {
  const std::size_t end = padded(demands);
  std::fill_n(left.begin(), end, 0U);
  const std::size_t ages = index_.length() - 1;
  for (std::size_t j = 1; j <= ages; ++j) {
    const std::uint32_t* const terms =
        &falling_terms_[(j - 1) * term_width_ + index_.capacity() - w[j + 1]];
    for (std::size_t d = 0; d < end; ++d) left[d] += terms[d];
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
