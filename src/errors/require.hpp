#pragma once

#include <fmt/core.h>

#include <utility>

namespace shortfall {

[[noreturn]] void throw_invalid_input(fmt::string_view message, fmt::format_args args);

/// Throws InvalidInput unless the condition holds. The message gives the value found and what is
/// accepted: require(n > 0, "n = {}; accepted: 1 or more", n).
template <class... Args>
void require(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  if (!condition) throw_invalid_input(message, fmt::make_format_args(args...));
}

}  // namespace shortfall
