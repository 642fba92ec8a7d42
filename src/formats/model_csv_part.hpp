#pragma once

#include <string>

#include "files/line_windows.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::io {

/// The rows of one part of a model's file, with ids as they are there. Throws InvalidInput as
/// read_table_csv() does, but line numbers count from the beginning of the part.
LoadedTable read_table_part(const std::string& path, const LineWindows::Part& part,
                            const ReadOptions& options);

}  // namespace shortfall::io
