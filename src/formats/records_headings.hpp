#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/formats/records_csv.hpp"

/// Which heading of a file is which column of records.
namespace shortfall::io {

/// ASCII letters in lower case; others as they are.
std::string lower_case(std::string_view text);

/// How a column was found.
enum class Match { none, given, name, meaning };

struct MatchedColumn {
  std::size_t column;  ///< of record_column
  Match match = Match::none;
};

/// By the headings that were given; failing that, by the names of columns in upper or lower case;
/// failing that, by their meaning: names with other punctuation, such as Stock-out, and words of
/// other languages, for columns that have no heading otherwise.
std::vector<MatchedColumn> match_headings(const std::vector<std::string_view>& headings,
                                          const std::vector<ColumnHeading>& given);

/// The option that says so: --columns demand=Bedarf, or columns = {"demand": "Bedarf"}.
std::string heading_option(OptionStyle style, std::string_view column, std::string_view heading);

/// Whether a text is the label of a line of totals or means: Total, Summe, Average, ..
bool is_total_label(std::string_view text);

}  // namespace shortfall::io
