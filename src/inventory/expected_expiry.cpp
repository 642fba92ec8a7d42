#include "inventory/expected_expiry.hpp"

#include <cstdint>
#include <span>

namespace shortfall::inventory {

std::vector<double> expected_expiry(const Model& model, std::size_t day, std::size_t capacity) {
  const std::size_t ages = model.stocks().length();
  std::vector<double> later = {0.0};  // of the one stock without ages
  for (std::size_t length = 1; length <= ages; ++length) {
    const StockIndex now(length, capacity);
    const StockIndex next(length - 1, capacity);
    const std::span<const double> demand = model.demand((day + ages - length) % model.days());
    std::vector<double> expiry(now.size(), 0.0);
    std::vector<std::uint8_t> x(length);
    std::vector<std::uint8_t> left(length - 1);
    for (std::size_t rank = 0; rank < expiry.size(); ++rank) {
      now.unrank(static_cast<std::uint32_t>(rank), x);
      for (std::size_t d = 0; d < demand.size(); ++d) {
        age(x, d, left);
        const double expired = x[0] > d ? static_cast<double>(x[0] - d) : 0.0;
        expiry[rank] += demand[d] * (expired + later[next.rank(left)]);
      }
    }
    later = std::move(expiry);
  }
  return later;
}

}  // namespace shortfall::inventory
