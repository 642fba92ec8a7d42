#include "shortfall/formats/records_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "shortfall/inventory/fit/records.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

using inventory::DayRecord;
using inventory::Records;

std::string text_of(const std::optional<std::uint32_t>& units) {
  return units ? fmt::format("{}", *units) : "";
}

/// Records as the format has them at its plainest.
std::string plain_csv(const Records& records) {
  std::string text = "date,demand";
  const inventory::RecordColumns& has = records.columns;
  if (has.stockout) text += ",stockout";
  if (has.ordered) text += ",ordered";
  for (std::size_t i = 1; i <= has.received; ++i) text += fmt::format(",received_{}", i);
  if (has.wasted) text += ",wasted";
  for (const DayRecord& day : records.days) {
    text += fmt::format("\n{},{}", inventory::iso_date(day.date), day.demand);
    if (has.stockout) text += day.stockout ? ",1" : ",0";
    if (has.ordered) text += "," + text_of(day.ordered);
    for (std::size_t i = 0; i < has.received; ++i) {
      text += "," + (day.received.empty() ? "" : fmt::format("{}", day.received[i]));
    }
    if (has.wasted) text += "," + text_of(day.wasted);
  }
  return text;
}

bool is_same_day(const DayRecord& a, const DayRecord& b) {
  return a.date == b.date && a.demand == b.demand && a.stockout == b.stockout &&
         a.ordered == b.ordered && a.received == b.received && a.wasted == b.wasted;
}

void expect_records(const Records& records) {
  inventory::check_records(records);
  const std::string text = plain_csv(records);
  const MemoryFile copy(text);
  const Records again = io::read_records_csv(copy.path());
  expect(std::ranges::equal(again.days, records.days, is_same_day),
         "records that are written plainly read back", text);
}

}  // namespace

void read_records_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  for (const auto& [name, order] : io::date_order_names) {
    for (const std::size_t shelf_life : {0u, 3u}) {
      Records records;
      const io::RecordsOptions options{.dates = order, .shelf_life = shelf_life};
      if (is_accepted(path, [&] { records = io::read_records_csv(path, options); })) {
        expect_records(records);
      }
    }
  }
}

}  // namespace shortfall::fuzz
