#pragma once

#include <string_view>

/// Which tables and keys the configuration of an inventory has.
namespace shortfall::io {

/// Throw InvalidInput that begins with `where`, suggests the likely name and lists those accepted.
void check_table(std::string_view table, std::string_view where);
void check_key(std::string_view key, std::string_view where);

}  // namespace shortfall::io
