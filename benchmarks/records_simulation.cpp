#include "benchmarks/records_simulation.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::benchmarks {
namespace {

std::uint32_t draw_from(std::span<const double> law, pcg64& bits) {
  const double u = draw_uniform(bits);
  std::uint32_t k = 0;
  for (double sum = law[0]; sum <= u && k + 1 < law.size(); sum += law[++k]) {
  }
  return k;
}

}  // namespace

inventory::Records simulated_records(const inventory::Model& model, std::size_t order_up_to,
                                     std::size_t days, std::uint64_t seed) {
  const std::size_t ages = model.shelf_life();
  inventory::Records records{
      .days = {}, .columns = {.stockout = true, .ordered = true, .wasted = true, .received = ages}};
  pcg64 bits = stream_generator(seed, 0);
  std::vector<std::uint8_t> stock(ages - 1);
  std::vector<std::uint8_t> delivered(ages);
  for (std::size_t t = 0; t < days; ++t) {
    const std::size_t weekday = t % model.days();
    const std::size_t held = std::accumulate(stock.begin(), stock.end(), std::size_t{0});
    const std::size_t order =
        std::min(order_up_to - std::min(held, order_up_to), model.largest_order(weekday, held));
    inventory::DayRecord& day = records.days.emplace_back();
    day.date = *inventory::parse_iso_date("2025-01-06") + std::chrono::days(t);
    day.ordered = static_cast<std::uint32_t>(order);
    day.received.assign(ages, 0);
    const std::vector<double> p = model.arrival(weekday).probabilities(order);
    for (std::size_t unit = 0; unit < order; ++unit) ++day.received[draw_from(p, bits)];
    for (std::size_t i = 0; i < ages; ++i) {
      delivered[i] = static_cast<std::uint8_t>((i + 1 < ages ? stock[i] : 0u) + day.received[i]);
    }
    const std::uint32_t demand = draw_from(model.demand(weekday), bits);
    const auto total = static_cast<std::uint32_t>(held + order);
    day.demand = std::min(demand, total);
    day.stockout = demand >= total;
    day.wasted = delivered[0] - std::min<std::uint32_t>(delivered[0], demand);
    inventory::age(delivered, demand, stock);
  }
  return records;
}

}  // namespace shortfall::benchmarks
