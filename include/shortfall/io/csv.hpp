#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shortfall/risk/law.hpp"

/// CSV as all files here use it: fields between commas, blanks around a field ignored, plain double
/// quotes around a field accepted (no escaped quote, no line break inside), lines ended by \n or
/// \r\n, the last one by either or by nothing. Blank lines may follow the last row and stand
/// nowhere else, so that row r of the data is line r + 2 of a file with a header.
namespace shortfall::io {

/// The longest line accepted, in bytes: a file without line breaks is refused after this much.
inline constexpr std::size_t longest_line = std::size_t{64} << 10;

/// How a large file is read. The result, errors included, depends on neither of these.
struct ReadOptions {
  int threads = 0;                                 ///< 0: all cores
  std::size_t chunk_bytes = std::size_t{1} << 20;  ///< what one task parses at a time, at least 1
};

/// Where something stands in a file, for messages.
struct Place {
  std::string_view file;
  std::size_t line = 0;          ///< from 1, the header included; 0: the file as a whole
  std::string_view column = {};  ///< empty: the line as a whole
};

/// Throws InvalidInput with "FILE, line LINE, column COLUMN: PROBLEM; accepted: ACCEPTED".
[[noreturn]] void reject(const Place& place, std::string_view problem, std::string_view accepted);

/// The same, for a field: the problem is the text found, quoted, cut to a readable length.
[[noreturn]] void reject_field(const Place& place, std::string_view field,
                               std::string_view accepted);

/// A number in decimal or scientific notation that fills `text`, up to blanks around it; a leading
/// plus is accepted. Infinite where the text says so or exceeds the range of double, or NaN where
/// the text says so; nothing where it is not a number.
std::optional<double> parse_number(std::string_view text);

/// An integer from 0 to `largest` written in digits, with the same allowances.
std::optional<std::uint32_t> parse_id(std::string_view text, std::uint32_t largest);

/// Whether p is in [0, 1], up to `probability_tolerance`.
inline bool is_probability(double p) {
  return p >= 0.0 && p <= 1.0 + probability_tolerance;
}

/// The finite number, id or probability that a field of a file holds; InvalidInput where it does
/// not.
double read_number(std::string_view field, const Place& place);
std::uint32_t read_id(std::string_view field, std::uint32_t largest, const Place& place);
double read_probability(std::string_view field, const Place& place);

/// `text` without the blank lines at its end.
std::string_view without_blank_end(std::string_view text);

/// Takes the first line off `text` and returns it without its end. Throws InvalidInput where the
/// line is longer than `longest_line` or holds a NUL byte.
std::string_view take_line(std::string_view& text, const Place& place);

/// Splits a line into its fields, without the blanks and quotes around them. Throws InvalidInput
/// where a quote is not closed, or is followed by more than blanks.
void split_fields(std::string_view line, const Place& place, std::vector<std::string_view>& fields);

/// What the fields of each row are.
struct Header {
  std::vector<std::size_t> columns;     ///< indices into the names known, in the order of the file
  std::vector<std::string_view> names;  ///< these names

  bool has(std::size_t column) const;
};

/// Which names a header may have: all of `known`, of which the first `required` must be there.
struct HeaderRule {
  std::span<const std::string_view> known;
  std::size_t required;
  std::string_view accepted;  ///< the same in words, for messages
};

/// Throws InvalidInput where a column is not known, comes twice or is missing.
Header read_header(std::string_view line, const Place& place, const HeaderRule& rule);

}  // namespace shortfall::io
