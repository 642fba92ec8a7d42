#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shortfall::io {

/// Up to `size` bytes from the beginning of a regular file, by which its format is recognised;
/// nothing if there is no such file. Throws InvalidInput that names the file if it cannot be read:
/// a file that cannot be read is not one of another format.
std::string beginning_of(const std::string& path, std::size_t size,
                         std::string_view accepted = "a file that can be read");

/// All bytes of a regular file, if it begins with `first`; otherwise its beginning only. Throws
/// InvalidInput as above, and if there is no such file.
std::string whole_file(const std::string& path, std::string_view first, std::string_view accepted);

}  // namespace shortfall::io
