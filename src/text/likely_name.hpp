#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace shortfall::io {

/// The smallest number of letters to add, remove, change or swap with a neighbour that turns `a`
/// into `b`. Check: "ordr" to "order" is 1, "hodling" to "holding" 1.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name closest to `name`, the first if there are several; empty if none is within two
/// edits or a quarter of its letters.
std::string_view likely_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace shortfall::io
