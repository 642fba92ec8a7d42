#pragma once

#include <string_view>

namespace shortfall::studies {

/// Identifies the code that computes results: a hash of all sources of the library, of the
/// published numbers and of the studies, in 16 hexadecimal digits. Computed by
/// cmake/source_hash.cmake.
std::string_view source_hash();

}  // namespace shortfall::studies
