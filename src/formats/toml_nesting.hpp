#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace shortfall::io {

/// How deep a key or value of TOML may be nested: the names of its dotted key or table header, and
/// the lists and inline tables around it, together.
inline constexpr std::size_t deepest_nesting = 64;

/// The line, from 1, where `text` is first nested deeper than that; nothing if it never is. Reads
/// only up to that line, in one pass and without recursion. For text that is not TOML, the result
/// is correct up to the first syntax error.
std::optional<std::size_t> line_nested_too_deep(std::string_view text);

}  // namespace shortfall::io
