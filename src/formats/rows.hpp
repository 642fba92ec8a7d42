#pragma once

#include <fast_float/fast_float.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include "files/line_chunks.hpp"
#include "shortfall/risk/law.hpp"
#include "text/csv.hpp"
#include "text/number.hpp"

namespace shortfall::io {

/// Whether p is in [0, 1], up to `probability_tolerance`.
inline bool is_probability(double p) {
  return p >= 0.0 && p <= 1.0 + probability_tolerance;
}

/// The probability in a field of a file. Throws InvalidInput if it holds none.
double read_probability(std::string_view field, const Place& place);

/// Fast path for a row in the usual form, as programs write it: no blanks, quotes or plus signs.
/// Each call advances past what it read, or returns false: then the row must be read by AnyRow,
/// which accepts every form and reports errors.
class PlainRow {
 public:
  explicit PlainRow(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  bool next_field() { return at_ == begin_ || (at_ != end_ && *at_++ == ','); }

  bool id(std::uint32_t& value, std::uint32_t largest) {
    return take(std::from_chars(at_, end_, value)) && value <= largest;
  }
  bool number(double& value) {
    return take(fast_float::from_chars(at_, end_, value)) && std::isfinite(value);
  }
  bool probability(double& value) { return number(value) && is_probability(value); }

  bool line_end() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    return (at_ == end_ || *at_++ == '\n') && size() <= longest_line;
  }

  /// Bytes read so far.
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  template <class Result>
  bool take(const Result& result) {
    at_ = result.ptr;
    return result.ec == std::errc();
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

/// Reads a row in any form that csv.hpp allows, with the functions of PlainRow. They never return
/// false, but throw InvalidInput for what cannot be read.
class AnyRow {
 public:
  explicit AnyRow(const Header& header) : header_(header) {}

  /// Starts a new row. Throws InvalidInput unless it has as many fields as the header.
  void start(std::string_view line, const Place& place);

  bool next_field() { return true; }
  bool id(std::uint32_t& value, std::uint32_t largest) {
    const Place place = here();
    value = read_id(take(), largest, place);
    return true;
  }
  bool number(double& value) {
    const Place place = here();
    value = read_number(take(), place);
    return true;
  }
  bool probability(double& value) {
    const Place place = here();
    value = read_probability(take(), place);
    return true;
  }
  bool line_end() { return true; }

 private:
  Place here() const { return {place_.file, place_.line, header_.names[at_]}; }
  std::string_view take() { return fields_[at_++]; }

  const Header& header_;
  Place place_;
  std::vector<std::string_view> fields_;
  std::size_t at_ = 0;
};

/// Properties shared by the rows of a file.
struct RowContext {
  std::string_view file;
  const Header& header;
  std::size_t first_line;  ///< of the file's first row

  Place place(std::size_t row) const { return {file, first_line + row}; }
};

/// Reads the rows of a chunk in order: read(text, row) reads a Row from a PlainRow or AnyRow and
/// returns whether it succeeded; store(i, row) receives row i of the file.
template <class Row, class Read, class Store>
void for_each_row(const LineChunk& chunk, const RowContext& context, const Read& read,
                  const Store& store) {
  AnyRow any(context.header);
  std::string_view rest = chunk.text;
  for (std::size_t i = chunk.first_row; !rest.empty(); ++i) {
    Row row;
    PlainRow plain(rest);
    if (read(plain, row)) {
      rest.remove_prefix(plain.size());
    } else {
      const Place place = context.place(i);
      any.start(take_line(rest, place), place);
      read(any, row);
    }
    store(i, row);
  }
}

}  // namespace shortfall::io
