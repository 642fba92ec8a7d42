#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::io {

/// The ids that a file of names may have: `count` of them, from `base` on.
struct NamedIds {
  std::string_view what;  ///< "state" or "action", for messages
  std::uint32_t base = 0;
  std::size_t count = 0;
};

/// Names of states or actions as CSV: columns `id` and `name`, in any order, one row per name. Ids
/// are those of the model's file; an id without a row is its own name. Returns a name for each id.
/// Throws InvalidInput that names the line: an id that the model does not have or that has a name
/// already, an empty name, and a name that another id has, by a row or as its id.
std::vector<std::string> read_names_csv(const std::string& path, const NamedIds& ids);

}  // namespace shortfall::io
