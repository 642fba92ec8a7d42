#pragma once

#include <string_view>

/// The tables and keys of an inventory configuration.
namespace shortfall::io {

/// Throw InvalidInput that starts with `where`, suggests the likely name and lists the accepted
/// ones.
void check_table(std::string_view table, std::string_view where);
void check_key(std::string_view key, std::string_view where);

}  // namespace shortfall::io
