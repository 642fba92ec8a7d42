#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

/// The CSV format of all files: fields are separated by commas, blanks around a field are ignored,
/// double quotes around a field are accepted (with doubled quotes, but no line breaks inside), and
/// lines end with \n or \r\n, which the last line may omit. Blank lines are allowed only after
/// the last row, so that row r of the data is line r + 2 of a file with a header.
namespace shortfall::io {

/// The longest line accepted, in bytes: a file without line breaks is rejected after this many.
inline constexpr std::size_t longest_line = std::size_t{64} << 10;

/// `text` without the blank lines at its end.
std::string_view without_blank_end(std::string_view text);

/// Takes the first line off `text` and returns it without its end. Throws InvalidInput if the line
/// is longer than `longest_line` or contains a NUL byte.
std::string_view take_line(std::string_view& text, const Place& place);

/// Splits a line into its fields, without the blanks and quotes around them. Doubled quotes inside
/// stay doubled. Throws InvalidInput if a quote is not closed, or if anything but blanks follows
/// it.
void split_fields(std::string_view line, const Place& place, std::vector<std::string_view>& fields,
                  char separator = ',');

/// `text` as a field that is written: in quotes if it has a comma, a quote or a line break.
std::string csv_field(std::string_view text);

/// The columns of a file.
struct Header {
  std::vector<std::size_t> columns;  ///< indices into HeaderRule::known, in the order of the file
  std::vector<std::string_view> names;  ///< their names

  bool has(std::size_t column) const;
};

/// The column names a header may have: those in `known`, of which the first `required` are
/// mandatory.
struct HeaderRule {
  std::span<const std::string_view> known;
  std::size_t required;
  std::string_view accepted;  ///< the same as text, for messages
};

/// Throws InvalidInput if a column is unknown, repeated or missing.
Header read_header(std::string_view line, const Place& place, const HeaderRule& rule);

}  // namespace shortfall::io
