#pragma once

#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"

namespace shortfall::io {

/// The accepted inputs, for messages.
inline constexpr std::string_view accepted_input = "a text file, or - for standard input";

/// Whether a path means standard input.
bool is_standard_input(std::string_view path);

/// Throws InvalidInput with the reason why the input `name` cannot be read; `error` is an errno.
[[noreturn]] void reject_input(const std::string& name, int error,
                               std::string_view accepted = accepted_input);

/// Opens `path` for reading; `-` or `/dev/stdin` is standard input, from its current position.
/// Throws InvalidInput: missing, a directory, not readable.
FileDescriptor open_input(const std::string& path, std::string_view accepted = accepted_input);

}  // namespace shortfall::io
