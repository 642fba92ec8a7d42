#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/transition_row.hpp"
#include "text/csv.hpp"

namespace shortfall::io {

/// Reads the header and the rows of a CSV stream. Columns are mapped to slots: x_k to k - 1, y_k to
/// d + k - 1, cost to 2d and weight to 2d + 1 as in TransitionRow::values, terminal to 2d + 2, seq
/// to 2d + 3 and columns that are ignored to 2d + 4.
class TransitionCsv {
 public:
  TransitionCsv() = default;

  /// Throws InvalidInput if a column is missing, repeated, or looks like another spelling of one.
  TransitionCsv(std::string_view header, const Place& place);

  std::size_t dimension() const { return dimension_; }
  /// The names of other columns.
  const std::vector<std::string>& ignored() const { return ignored_; }
  bool has_seq() const { return std::ranges::find(slots_, seq_slot()) != slots_.end(); }
  bool same_columns(const TransitionCsv& other) const { return slots_ == other.slots_; }

  /// Whether a line starts like a header. No row does.
  static bool begins_as_header(std::string_view line);

  /// Reads a row in the usual form: see PlainRow. If false, use read(). `row` has dimension d.
  /// Fastest if seq is the first column or follows the numbers, as does terminal, and no column is
  /// ignored.
  bool read_plain(std::string_view line, TransitionRow& row) const;

  /// Reads a row in any form. Throws InvalidInput.
  void read(std::string_view line, const Place& place, TransitionRow& row);

 private:
  std::size_t weight_slot() const { return 2 * dimension_ + 1; }
  std::size_t terminal_slot() const { return 2 * dimension_ + 2; }
  std::size_t seq_slot() const { return 2 * dimension_ + 3; }
  std::size_t ignored_slot() const { return 2 * dimension_ + 4; }
  bool is_number(std::uint32_t slot) const { return slot < terminal_slot(); }
  void place_columns(const Place& place);
  void find_numbers();
  bool read_short_field(std::uint32_t slot, std::string_view field, TransitionRow& row) const;
  bool read_mixed(std::string_view line, TransitionRow& row) const;
  bool read_terminal(const Place& place) const;
  void read_number_field(std::size_t column, const Place& place, TransitionRow& row) const;

  std::size_t dimension_ = 0;
  std::size_t first_number_ = 0;      // columns before the numbers: 1 if seq is the first
  std::size_t numbers_ = 0;           // columns of numbers if all are adjacent, else 0
  std::vector<std::uint32_t> slots_;  // one per column, in the order of the file
  std::vector<std::string_view> fields_;
  std::vector<std::string> ignored_;
};

}  // namespace shortfall::io
