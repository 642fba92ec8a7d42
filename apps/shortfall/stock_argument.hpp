#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace shortfall::app {

/// The numbers of --stock 1,2,0,1; none for an empty text. Throws InvalidInput that names the
/// option unless all are integers.
std::vector<std::int64_t> parse_stock(const std::string& text);

/// mon, .., sun.
std::string weekday_word(std::size_t day);

/// The weekday that --day names, from 0 for Monday: mon, .., sun, a full name, or today, which is
/// the day of the time `now` where the machine is. Throws InvalidInput.
std::size_t parse_day(const std::string& text, std::time_t now);

}  // namespace shortfall::app
