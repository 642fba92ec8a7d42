#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/place.hpp"

/// Shared by all readers of text.
namespace shortfall::io {

inline constexpr std::string_view blanks = " \t\r";
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The parts of `text` between separators; one part if there is none.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Throws InvalidInput if `text`, at `place`, contains a NUL byte or begins as files of gzip do.
void check_is_text(const Place& place, std::string_view text);

/// "1 day", "2 days": a number with its noun.
std::string counted(std::size_t number, std::string_view noun);

}  // namespace shortfall::io
