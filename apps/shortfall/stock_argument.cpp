#include "apps/shortfall/stock_argument.hpp"

#include <cmath>

#include "require.hpp"
#include "shortfall/inventory/records.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::app {

std::vector<std::int64_t> parse_stock(const std::string& text) {
  std::vector<std::int64_t> stock;
  if (io::trimmed(text).empty()) return stock;
  for (const std::string_view part : io::split(text, ',')) {
    const auto number = io::parse_number(part);
    constexpr double most = 1e9;
    require(number && std::abs(*number) <= most && *number == std::floor(*number) && *number >= 0.0,
            "--stock {}: '{}' is not a number of units; accepted: whole numbers from 0, separated "
            "by commas",
            text, part);
    stock.push_back(static_cast<std::int64_t>(*number));
  }
  return stock;
}

std::string weekday_word(std::size_t day) {
  std::string word = std::string(inventory::weekday_name(day)).substr(0, 3);
  word[0] = static_cast<char>(word[0] - 'A' + 'a');
  return word;
}

std::size_t local_weekday(std::time_t time) {
  std::tm local{};
  require(localtime_r(&time, &local) != nullptr, "the clock shows no date; accepted: a weekday");
  constexpr std::size_t days = 7;
  return (static_cast<std::size_t>(local.tm_wday) + days - 1) % days;  // tm_wday is 0 on Sundays
}

}  // namespace shortfall::app
