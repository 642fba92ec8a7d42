#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shortfall/risk/law.hpp"

/// The CSV format of all files: fields are separated by commas, blanks around a field are ignored,
/// plain double quotes around a field are accepted (without escaped quotes or line breaks inside),
/// and lines end with \n or \r\n, which the last line may omit. Blank lines are allowed only after
/// the last row, so that row r of the data is line r + 2 of a file with a header.
namespace shortfall::io {

/// The longest line accepted, in bytes: a file without line breaks is rejected after this many.
inline constexpr std::size_t longest_line = std::size_t{64} << 10;

/// How a large file is read. The result, errors included, does not depend on these options.
struct ReadOptions {
  int threads = 0;                                 ///< 0: all cores
  std::size_t chunk_bytes = std::size_t{1} << 20;  ///< parsed by one task at a time, at least 1
};

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

/// A number in decimal or scientific notation that fills `text` except for blanks around it; a
/// leading plus is accepted. Infinite if the text says so or exceeds the range of double, NaN if
/// the text says so; nothing if it is not a number.
std::optional<double> parse_number(std::string_view text);

/// An integer from 0 to `largest` in digits; blanks around it and a leading plus are accepted.
std::optional<std::uint32_t> parse_id(std::string_view text, std::uint32_t largest);

/// Whether p is in [0, 1], up to `probability_tolerance`.
inline bool is_probability(double p) {
  return p >= 0.0 && p <= 1.0 + probability_tolerance;
}

/// The finite number, id or probability in a field of a file. Throws InvalidInput if it holds none.
double read_number(std::string_view field, const Place& place);
std::uint32_t read_id(std::string_view field, std::uint32_t largest, const Place& place);
double read_probability(std::string_view field, const Place& place);

/// `text` without the blank lines at its end.
std::string_view without_blank_end(std::string_view text);

/// Takes the first line off `text` and returns it without its end. Throws InvalidInput if the line
/// is longer than `longest_line` or contains a NUL byte.
std::string_view take_line(std::string_view& text, const Place& place);

/// Splits a line into its fields, without the blanks and quotes around them. Throws InvalidInput if
/// a quote is not closed, or if anything but blanks follows it.
void split_fields(std::string_view line, const Place& place, std::vector<std::string_view>& fields);

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
