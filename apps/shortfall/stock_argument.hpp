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

/// 0 for Monday to 6 for Sunday, in the zone of the machine.
std::size_t local_weekday(std::time_t time);

}  // namespace shortfall::app
