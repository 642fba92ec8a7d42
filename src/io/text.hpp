#pragma once

#include <string_view>

#include "shortfall/io/csv.hpp"

/// What all readers of text know of it.
namespace shortfall::io {

inline constexpr std::string_view blanks = " \t\r";
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Throws InvalidInput where `text`, which stands at `place`, has a NUL byte.
void check_is_text(const Place& place, std::string_view text);

/// Whether a path means standard input.
bool is_standard_input(std::string_view path);

}  // namespace shortfall::io
