#pragma once

#include <string_view>

namespace shortfall::studies {

/// Identifies the code that computes results: a hash of all sources of the library, of the
/// published numbers and of the studies, in 16 hexadecimal digits. Computed by
/// cmake/source_hash.cmake.
std::string_view source_hash();

/// The commit that the program was built from, " with changes" if the tree had others; empty if it
/// was neither a git tree nor an archive of one. Computed by cmake/commit.cmake.
std::string_view source_commit();

}  // namespace shortfall::studies
