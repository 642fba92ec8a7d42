#include "shortfall/inventory/model/weekday.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "text/likely_name.hpp"

namespace shortfall::inventory {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::size_t weekday_of(std::chrono::sys_days date) {
  return std::chrono::weekday(date).iso_encoding() - 1;
}

const char* weekday_name(std::size_t weekday) {
  constexpr std::array names = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                "Friday", "Saturday", "Sunday"};
  return names.at(weekday);
}

std::size_t parse_weekday(std::string_view name, std::optional<std::size_t> today) {
  const std::string given = lower_case(name);
  std::vector<std::string> known;
  for (std::size_t day = 0; day < 7; ++day) {
    known.push_back(lower_case(weekday_name(day)));
    if (given == known.back() || given == known.back().substr(0, 3)) return day;
  }
  if (today) known.emplace_back("today");
  if (today && given == "today") return *today;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view likely = io::likely_name(given, names);
  throw InvalidInput(fmt::format("'{}' is not a day{}; accepted: {}{}", name,
                                 likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
                                 accepted_weekdays, today ? " or today" : ""));
}

}  // namespace shortfall::inventory
