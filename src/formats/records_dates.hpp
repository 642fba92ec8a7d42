#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "shortfall/formats/records_csv.hpp"

namespace shortfall::io {

/// A date as written, and where.
struct WrittenDate {
  std::string_view text;
  std::size_t line;
};

/// All dates of a file, in the order that the option or the file as a whole leaves. Throws
/// InvalidInput: no date, one that does not exist, or an unclear order of day and month.
std::vector<std::chrono::sys_days> read_dates(const std::vector<WrittenDate>& written,
                                              std::string_view file, const RecordsOptions& options);

}  // namespace shortfall::io
