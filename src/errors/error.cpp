#include "shortfall/errors/error.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "errors/require.hpp"

namespace shortfall {

namespace {

std::string without_nul(std::string message) {
  constexpr std::string_view shown = "\\0";
  for (std::size_t at = 0; (at = message.find('\0', at)) != std::string::npos; at += shown.size()) {
    message.replace(at, 1, shown);
  }
  return message;
}

}  // namespace

InvalidInput::InvalidInput(std::string message)
    : std::invalid_argument(without_nul(std::move(message))) {}

void throw_invalid_input(fmt::string_view message, fmt::format_args args) {
  throw InvalidInput(fmt::vformat(message, args));
}

}  // namespace shortfall
