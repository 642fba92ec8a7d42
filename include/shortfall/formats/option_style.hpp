#pragma once

#include <string>

namespace shortfall::io {

/// How messages name options: `since = 2026-11-16` for arguments of functions, and
/// `--since 2026-11-16` for those of the command line.
enum class OptionStyle { argument, command_line };

/// An option, and its value unless that is empty.
inline std::string option_words(OptionStyle style, const std::string& name,
                                const std::string& value = {}) {
  const bool is_argument = style == OptionStyle::argument;
  return (is_argument ? name : "--" + name) +
         (value.empty() ? "" : (is_argument ? " = " : " ") + value);
}

}  // namespace shortfall::io
