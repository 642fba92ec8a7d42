#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shortfall::app {

/// The numbers of --stock 1,2,0,1; none for an empty text. Throws InvalidInput that names the
/// option unless all are integers.
std::vector<std::int64_t> parse_stock(const std::string& text);

/// mon, .., sun: what --day accepts.
std::string weekday_word(std::size_t day);

}  // namespace shortfall::app
