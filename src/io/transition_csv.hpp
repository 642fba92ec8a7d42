#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/transition_row.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::io {

/// The columns of a stream in CSV, and its rows. Columns are slots: x_k is k - 1, y_k is d + k - 1,
/// cost is 2d as in TransitionRow::values, and terminal is 2d + 1.
class TransitionCsv {
 public:
  TransitionCsv() = default;

  /// Throws InvalidInput where a column is not known, comes twice or is missing.
  TransitionCsv(std::string_view header, const Place& place);

  std::size_t dimension() const { return dimension_; }
  bool same_columns(const TransitionCsv& other) const { return slots_ == other.slots_; }

  /// Whether a line begins as a header does. No row begins so.
  static bool begins_as_header(std::string_view line);

  /// Reads a row in its plainest form: see PlainRow. False: it is for read(). `row` has dimension
  /// d. Not where terminal is a column and not the last.
  bool read_plain(std::string_view line, TransitionRow& row) const;

  /// Reads a row in any form. Throws InvalidInput.
  void read(std::string_view line, const Place& place, TransitionRow& row);

 private:
  std::size_t terminal_slot() const { return 2 * dimension_ + 1; }
  void place_columns(const Place& place);
  bool read_terminal(const Place& place) const;

  std::size_t dimension_ = 0;
  std::size_t numbers_ = 0;           // columns before terminal where that is the last, or all
  std::vector<std::uint32_t> slots_;  // one a column, in the order of the file
  std::vector<std::string_view> fields_;
};

}  // namespace shortfall::io
