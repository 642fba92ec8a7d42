#pragma once

#include <string>
#include <string_view>

#include "io/file_descriptor.hpp"

namespace shortfall::io {

/// What an input may be, for messages.
inline constexpr std::string_view accepted_input = "a text file, or - for standard input";

/// Throws InvalidInput that says why the input called `name` cannot be read: `error` is an errno.
[[noreturn]] void reject_input(const std::string& name, int error);

/// `path`, opened for reading; `-` or `/dev/stdin` is standard input, from where it stands. Throws
/// InvalidInput: not there, a directory, not readable.
FileDescriptor open_input(const std::string& path);

}  // namespace shortfall::io
