#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "files/atomic_file.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::io {
namespace {

void append(fmt::memory_buffer& line, unsigned value, char end) {
  const fmt::format_int digits(value);
  line.append(digits.data(), digits.data() + digits.size());
  line.push_back(end);
}

}  // namespace

void write_order_policy_csv(const std::string& path, const inventory::Model& model,
                            const Policy& orders) {
  model.check_orders(orders);
  AtomicFile file(path);
  const std::size_t ages = model.stocks().length();
  if (model.days() > 1) file.write("day,");
  for (std::size_t i = 1; i <= ages; ++i) file.write(fmt::format("x{},", i));
  file.write("order\n");

  std::array<std::uint8_t, inventory::longest_shelf_life> storage{};
  const std::span<std::uint8_t> stock(storage.data(), ages);
  fmt::memory_buffer line;
  std::size_t state = 0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (std::size_t rank = 0; rank < model.stocks().size(); ++rank, ++state) {
      model.stocks().unrank(static_cast<std::uint32_t>(rank), stock);
      line.clear();
      if (model.days() > 1) append(line, static_cast<unsigned>(day), ',');
      for (const std::uint8_t units : stock) append(line, units, ',');
      append(line, static_cast<unsigned>(orders[state]), '\n');
      file.write({line.data(), line.size()});
    }
  }
  file.commit();
}

}  // namespace shortfall::io
