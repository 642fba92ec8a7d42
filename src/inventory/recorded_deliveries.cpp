#include "inventory/recorded_deliveries.hpp"

#include <algorithm>
#include <numeric>
#include <pcg_random.hpp>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::inventory {
namespace {

/// The age of the k-th of units that are sorted by age.
std::size_t age_of_unit(const std::vector<std::uint32_t>& units, std::uint32_t k) {
  std::size_t age = 0;
  while (k >= units[age]) k -= units[age++];
  return age;
}

}  // namespace

std::vector<std::uint32_t> RecordedDeliveries::of_order(const DayRecord& record,
                                                        std::size_t order) const {
  std::vector<std::uint32_t> delivery(model_.shelf_life(), 0);
  const auto date = static_cast<std::uint64_t>(record.date.time_since_epoch().count());
  pcg64 bits = stream_generator(seed_, date);
  const std::uint32_t recorded = record.received_units();
  if (recorded > 0) {
    std::vector<std::uint32_t> rest = record.received;
    std::uint32_t units = recorded;
    for (std::size_t u = 0; u < order; ++u) {
      if (units == 0) {
        ++delivery[age_of_unit(record.received, draw_index(bits, recorded))];
        continue;
      }
      const std::size_t age = age_of_unit(rest, draw_index(bits, units--));
      --rest[age];
      ++delivery[age];
    }
    return delivery;
  }
  const std::size_t day = model_.days() == 1 ? 0 : weekday_of(record.date);
  const std::vector<double> shares = model_.arrival(day).probabilities(order);
  for (std::size_t u = 0; u < order; ++u) {
    double left = draw_uniform(bits);
    std::size_t age = 0;
    while (age + 1 < shares.size() && left >= shares[age]) left -= shares[age++];
    // Rounding may lead beyond the last age that is possible.
    while (shares[age] == 0.0) --age;
    ++delivery[age];
  }
  return delivery;
}

}  // namespace shortfall::inventory
