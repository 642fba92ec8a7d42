#include "errors/require.hpp"

#include <fmt/format.h>

#include "shortfall/errors/error.hpp"

namespace shortfall {

void throw_invalid_input(fmt::string_view message, fmt::format_args args) {
  throw InvalidInput(fmt::vformat(message, args));
}

}  // namespace shortfall
