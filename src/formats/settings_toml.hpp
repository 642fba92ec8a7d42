#pragma once

#include <string>
#include <string_view>

#include "shortfall/formats/settings.hpp"

namespace shortfall::io {

/// The settings of a TOML document; `name` is its name in messages. Throws InvalidInput that names
/// file and line: not TOML, an unknown table or key.
Settings read_settings(std::string_view text, const std::string& name);

/// A value from the command line: as in TOML, or a number in any form of parse_number, or a bare
/// word. Throws InvalidInput that starts with `where` for an unterminated list or quoted text, and
/// for an empty value.
Value parse_value(std::string_view text, std::string_view where);

}  // namespace shortfall::io
