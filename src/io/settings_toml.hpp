#pragma once

#include <string_view>

#include "shortfall/io/input_file.hpp"
#include "shortfall/io/settings.hpp"

namespace shortfall::io {

/// The settings of a file in TOML, all of known keys. Throws InvalidInput that names file and line:
/// not TOML, a table or key that is not known.
Settings read_settings(const InputFile& file);

/// A value of the command line: as in TOML, or a number in any form of parse_number, or a bare
/// word. Throws InvalidInput that begins with `where` for a list or quoted text that does not end,
/// and for nothing at all.
Value parse_value(std::string_view text, std::string_view where);

}  // namespace shortfall::io
