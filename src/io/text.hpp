#pragma once

#include <string_view>

#include "shortfall/io/csv.hpp"

/// Shared by all readers of text.
namespace shortfall::io {

inline constexpr std::string_view blanks = " \t\r";
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Throws InvalidInput if `text`, at `place`, contains a NUL byte.
void check_is_text(const Place& place, std::string_view text);

/// Whether a path means standard input.
bool is_standard_input(std::string_view path);

}  // namespace shortfall::io
