#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "shortfall/formats/records_csv.hpp"
#include "text/problems.hpp"

namespace shortfall::io {

/// A date as written, and where.
struct WrittenDate {
  std::string_view text;
  std::size_t line;
};

/// All dates of a file, in the order that the option or the file as a whole leaves; nothing, with a
/// problem, for what is no date, does not exist, or has an unclear order of day and month.
std::vector<std::optional<std::chrono::sys_days>> read_dates(
    const std::vector<WrittenDate>& written, std::string_view file, const RecordsOptions& options,
    Problems& problems);

}  // namespace shortfall::io
