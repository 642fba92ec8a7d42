#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/transition_row.hpp"
#include "text/csv.hpp"

namespace shortfall::io {

/// Reads the header and the rows of a CSV stream. Columns are mapped to slots: x_k to k - 1, y_k to
/// d + k - 1, cost to 2d as in TransitionRow::values, and terminal to 2d + 1.
class TransitionCsv {
 public:
  TransitionCsv() = default;

  /// Throws InvalidInput if a column is unknown, repeated or missing.
  TransitionCsv(std::string_view header, const Place& place);

  std::size_t dimension() const { return dimension_; }
  bool same_columns(const TransitionCsv& other) const { return slots_ == other.slots_; }

  /// Whether a line starts like a header. No row does.
  static bool begins_as_header(std::string_view line);

  /// Reads a row in the usual form: see PlainRow. If false, use read(). `row` has dimension d.
  /// Always false if there is a column terminal that is not the last.
  bool read_plain(std::string_view line, TransitionRow& row) const;

  /// Reads a row in any form. Throws InvalidInput.
  void read(std::string_view line, const Place& place, TransitionRow& row);

 private:
  std::size_t terminal_slot() const { return 2 * dimension_ + 1; }
  void place_columns(const Place& place);
  bool read_terminal(const Place& place) const;

  std::size_t dimension_ = 0;
  std::size_t numbers_ = 0;           // columns of numbers if terminal is last or absent, else 0
  std::vector<std::uint32_t> slots_;  // one per column, in the order of the file
  std::vector<std::string_view> fields_;
};

}  // namespace shortfall::io
