#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "files/line_chunks.hpp"
#include "shortfall/risk/law.hpp"
#include "text/csv.hpp"
#include "text/decimal.hpp"
#include "text/field_ends.hpp"
#include "text/number.hpp"

namespace shortfall::io {

/// Whether p is in [0, 1], up to `probability_tolerance`.
inline bool is_probability(double p) {
  return p >= 0.0 && p <= 1.0 + probability_tolerance;
}

/// The probability in a field of a file. Throws InvalidInput if it holds none.
double read_probability(std::string_view field, const Place& place);

/// The id, or the finite number, that makes up all of [first, last), in a form that is not common
/// enough for PlainRow. Returns false if it is none.
bool read_long_id(const char* first, const char* last, std::uint32_t& value);
bool read_other_number(const char* first, const char* last, double& value);

/// Fast path for a row in the usual form, as programs write it: no blanks, quotes or plus signs.
/// Each call advances past what it read, or returns false: then the row must be read by AnyRow,
/// which accepts every form and reports errors. The ends of fields are found before the fields are
/// read, many at once, so that a processor can read several fields at a time.
class PlainRow {
 public:
  /// `padding` readable bytes must follow the text.
  explicit PlainRow(std::string_view text)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        base_(begin_),
        ends_(field_ends(begin_)) {}

  bool next_field() { return at_ == begin_ || (at_ != end_ && *at_++ == ','); }

  bool id(std::uint32_t& value, std::uint32_t largest) {
    const char* const first = std::exchange(at_, field_end());
    const auto count = static_cast<std::size_t>(at_ - first);
    if (count - 1 >= 8) return read_long_id(first, at_, value) && value <= largest;
    const EightDigits digits(first, static_cast<unsigned>(count));
    value = static_cast<std::uint32_t>(digits.value());
    return digits.others() == 0 && value <= largest;
  }

  [[gnu::always_inline]] bool number(double& value) {
    const char* const first = std::exchange(at_, field_end());
    return read_plain_decimal(first, at_, value) || read_other_number(first, at_, value);
  }

  [[gnu::always_inline]] bool probability(double& value) {
    return number(value) && is_probability(value);
  }

  bool line_end() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    return (at_ == end_ || *at_++ == '\n') && size() <= longest_line;
  }

  /// Bytes read so far.
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  /// The end of the field that begins here; its beginning, if it is too long for the fast path.
  [[gnu::always_inline]] const char* field_end() {
    if (ends_ == 0) {
      base_ = at_;
      ends_ = field_ends(at_);
      if (ends_ == 0) return at_;
    }
    const char* const end = base_ + std::countr_zero(ends_);
    ends_ &= ends_ - 1;
    return std::min(end, end_);
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* base_;    // of the bits of ends_
  std::uint64_t ends_;  // of fields not read yet
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

/// Reads the rows of a chunk, which `padding` readable bytes follow, in order: read(text, row)
/// reads a Row from a PlainRow or AnyRow and returns whether it succeeded; store(i, row) receives
/// row i of the file.
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
