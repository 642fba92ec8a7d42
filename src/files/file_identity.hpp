#pragma once

#include <string>

namespace shortfall::io {

/// Whether `path` names the open file.
bool is_same_file(int descriptor, const std::string& path);

/// Gives this name to an open file without one. False with errno set on failure, for example if the
/// name is taken.
bool link_open_file(int descriptor, const std::string& path);

}  // namespace shortfall::io
