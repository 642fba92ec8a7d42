#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::io {

/// A location in a file, for messages.
struct Place {
  std::string_view file;
  std::size_t line = 0;          ///< from 1, the header included; 0: the file as a whole
  std::string_view column = {};  ///< empty: the line as a whole
};

/// Throws InvalidInput with "FILE, line LINE, column COLUMN: PROBLEM; accepted: ACCEPTED".
[[noreturn]] void reject(const Place& place, std::string_view problem, std::string_view accepted);

/// The same for a field: the problem is the text found, quoted and shortened.
[[noreturn]] void reject_field(const Place& place, std::string_view field,
                               std::string_view accepted);

/// `text` in quotes, shortened if it is long.
std::string quotation(std::string_view text);

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

/// The smallest number of letters to add, remove, change or swap with a neighbour that turns `a`
/// into `b`. Check: "ordr" to "order" is 1, "hodling" to "holding" 1.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name closest to `name`, the first if there are several; empty if none is within two
/// edits or a quarter of its letters.
std::string_view likely_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace shortfall::io
