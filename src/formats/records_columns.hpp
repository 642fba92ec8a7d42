#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "formats/records_headings.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
#include "text/text.hpp"

/// The columns of records, and how their fields are separated.
namespace shortfall::io {

/// Names of columns by number; received_1 is first_received.
namespace record_column {
enum : std::size_t { date, demand, stockout, ordered, wasted, first_received };
inline constexpr std::array<std::string_view, first_received + inventory::longest_shelf_life>
    names = {"date",       "demand",     "stockout",   "ordered",    "wasted",
             "received_1", "received_2", "received_3", "received_4", "received_5",
             "received_6", "received_7", "received_8", "received_9", "received_10"};
inline constexpr std::size_t unused = names.size();  ///< any other column
constexpr bool is_received(std::size_t column) {
  return column >= first_received && column < unused;
}
}  // namespace record_column

struct RecordHeader {
  std::vector<std::size_t> columns;  ///< of record_column, in the order of the file
  std::vector<Match> matches;        ///< how each was found
  std::size_t received = 0;          ///< columns received_1, .., received_M
  std::vector<std::string> unused;   ///< names of the unused columns
  std::vector<std::string> mapped;   ///< "Bedarf" as demand: those found by their meaning

  bool has(std::size_t column) const;
};

/// Whether a line has a heading for the date and one for the demand.
bool is_header(std::string_view line, char separator, const std::vector<ColumnHeading>& given);

/// The separator of a header line: the one that gives it a date and demand; failing that, a
/// semicolon or a tab if it has one, otherwise a comma.
char separator_of(std::string_view header_line, const std::vector<ColumnHeading>& given);

/// Headings are those of match_headings(); empty ones at the end of the line are ignored. Other
/// columns are ignored: spreadsheets have them for people. Throws InvalidInput if a column is
/// repeated or missing, if another name resembles that of a missing one, and if the received
/// columns are not 1 to `options.shelf_life`; 0: from 1 to any number.
RecordHeader read_record_header(const std::vector<std::string_view>& fields, const Place& place,
                                const RecordsOptions& options);

}  // namespace shortfall::io
