#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shortfall::io {

/// A location in a file, for messages.
struct Place {
  std::string_view file;
  std::size_t line = 0;          ///< from 1, the header included; 0: the file as a whole
  std::string_view column = {};  ///< empty: the line as a whole
};

/// Throws InvalidInput with "FILE, line LINE, column COLUMN: PROBLEM; accepted: ACCEPTED".
[[noreturn]] void reject(const Place& place, std::string_view problem, std::string_view accepted);

/// The same for a field: the problem is the text found, quoted and shortened.
[[noreturn]] void reject_field(const Place& place, std::string_view field,
                               std::string_view accepted);

/// `text` in quotes, shortened if it is long.
std::string quotation(std::string_view text);

}  // namespace shortfall::io
