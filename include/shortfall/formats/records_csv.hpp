#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/formats/option_style.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/names/names.hpp"

namespace shortfall::io {

/// How day, month and year follow each other in dates.
enum class DateOrder {
  automatic,  ///< year first, or whichever of the others is the only one possible for the file
  ymd,        ///< 2026-11-16
  dmy,        ///< 16.11.2026, 16/11/2026
  mdy         ///< 11/16/2026
};

inline constexpr Names<DateOrder, 4> date_order_names = {{{"auto", DateOrder::automatic},
                                                          {"ymd", DateOrder::ymd},
                                                          {"dmy", DateOrder::dmy},
                                                          {"mdy", DateOrder::mdy}}};

/// The heading of a column in a file.
struct ColumnHeading {
  std::string column;   ///< date, demand, ..
  std::string heading;  ///< as the file has it, in upper or lower case

  bool operator==(const ColumnHeading&) const = default;
};

/// Reads "demand=Bedarf,date=Datum". Throws InvalidInput that names the part at fault.
std::vector<ColumnHeading> parse_headings(const std::string& text);

struct RecordsOptions {
  DateOrder dates = DateOrder::automatic;
  std::vector<ColumnHeading> columns = {};  ///< of columns with headings of the user's own
  /// Columns received_1 to received_M are expected, or none; 0: as many as the file has.
  std::size_t shelf_life = 0;
  OptionStyle style = OptionStyle::argument;  ///< of options in errors
};

/// Reads the records of an inventory: one row per day, columns in any order, upper or lower case,
///
///   date        2026-11-16; also 16.11.2026 and 11/16/2026, see below
///   demand      units requested
///   stockout    optional, 1 or yes where the stock ran out (inventory/fit/fit.hpp says what that
///               may mean), otherwise 0, no or empty; also in other languages: ja, oui, sí
///   ordered     optional, units ordered
///   received_1, .., received_M   optional, units received that can be used for 1, .., M periods;
///               in a row, all empty: not known; some empty: none of these
///   wasted      optional, units that expired
///
/// Numbers of units are integers; ordered and wasted may be empty, which means not known.
///
/// Headings may be those of `columns`, or words of other languages such as Datum and Bedarf; the
/// result lists the latter (RecordColumns::mapped). Lines above the header, lines of totals and
/// lines with nothing but text in one field are left out and listed, too (RecordColumns::skipped).
///
/// Spreadsheets are read as they are saved in most countries: separated by commas, semicolons or
/// tabs (also with a first line `sep=;`), with a byte-order mark, CRLF, quoted fields, numbers such
/// as 12,0 or 12.0, and rows without any content. A number such as 1.000 is refused: it may be one
/// unit or a thousand. Dates like 05/06/2026 are read if a row of the file, such as 16/06/2026,
/// leaves only one order of day and month; otherwise `dates` must say which it is. Years of two
/// digits come last.
///
/// Rows are in the order of time, or all in the reverse order, as some programs export them. A
/// single date out of order is refused, because it is most likely mistyped. Throws InvalidInput
/// that names the file and, for each problem, line and column, the text found and what is accepted:
/// for this and any other row that is not clear: a date that repeats another or does not exist,
/// units that are negative or not whole, a column that is missing or unknown, with the likely name.
inventory::Records read_records_csv(const std::string& path, const RecordsOptions& options = {});

}  // namespace shortfall::io
