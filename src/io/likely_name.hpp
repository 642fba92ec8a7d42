#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace shortfall::io {

/// The least number of letters added, left out, changed or swapped with their neighbour that makes
/// `b` of `a`. Check: "ordr" to "order" is 1, "hodling" to "holding" 1.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Of the names known the one most like `name`, the first where several are; empty where none is
/// within two edits, or a quarter of its letters.
std::string_view likely_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace shortfall::io
