#include "inventory/shelf.hpp"

#include <algorithm>
#include <numeric>

namespace shortfall::inventory {

std::uint32_t Shelf::total() const {
  return std::accumulate(stock_.begin(), stock_.end(), std::uint32_t{0});
}

Shelf::Period Shelf::pass(std::span<const std::uint32_t> received, std::uint32_t demand) {
  Period period{.missing = demand};
  for (std::size_t i = 0; i < received.size(); ++i) {
    const std::uint32_t units = received[i] + (i < stock_.size() ? stock_[i] : 0);
    const std::uint32_t used = std::min(units, period.missing);
    period.missing -= used;
    period.left += units - used;
    if (i == 0) {
      period.expired = units - used;
    } else {
      stock_[i - 1] = units - used;
    }
  }
  return period;
}

}  // namespace shortfall::inventory
