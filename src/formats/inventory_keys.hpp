#pragma once

#include <span>
#include <string_view>

/// The tables and keys of an inventory configuration: what is accepted, what messages suggest, and
/// what the reference says of each.
namespace shortfall::io {

struct InventoryKey {
  std::string_view name;      ///< with its table, such as "cost.order"
  std::string_view accepted;  ///< values
  std::string_view absent;    ///< what a missing key means: "required", or its default
  std::string_view meaning;
};

/// In the order in which a configuration has them.
std::span<const InventoryKey> inventory_keys();

/// Throw InvalidInput that starts with `where`, suggests the likely name and lists the accepted
/// ones.
void check_table(std::string_view table, std::string_view where);
void check_key(std::string_view key, std::string_view where);

}  // namespace shortfall::io
