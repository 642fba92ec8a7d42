#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "parallel/communicator.hpp"

/// What several ranks read may be another file on another machine, or may have changed meanwhile.
namespace shortfall::io {

/// Throws InvalidInput on all ranks unless they have read the same bytes from the input `name`.
void check_same(std::span<const std::byte> bytes, const std::string& name,
                detail::Communicator& ranks);

/// The same for a file of which each rank reads its part: compares the size, the beginning and the
/// end. Anything but a regular file of the first rank is not compared. Throws InvalidInput, and
/// FailedElsewhere, on all ranks.
void check_same_file(const std::string& path, detail::Communicator& ranks);

}  // namespace shortfall::io
