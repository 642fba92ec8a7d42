#pragma once

#include <string>

namespace shortfall::io {

/// Whether `path` names the open file.
bool is_same_file(int descriptor, const std::string& path);

/// Gives the open file, which has no name, this one. False with errno set, say where it is taken.
bool link_open_file(int descriptor, const std::string& path);

}  // namespace shortfall::io
