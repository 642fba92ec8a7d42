#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "studies/study.hpp"

/// Documents that a later run reuses. Each ends with a checksum of its text, so that a damaged,
/// truncated or edited document is not reused.
namespace shortfall::studies {

/// Writes `document` to `path`, with one line per row of its tables and a last key `checksum`.
/// Returns what was written. Throws OutputError.
Json save_document(const std::filesystem::path& path, Json document);

/// The document at `path` if its checksum matches, it has all keys of `identity` with the same
/// values, and findings and tables as web/README.md describes them; otherwise nothing.
std::optional<Json> load_document(const std::filesystem::path& path, const Json& identity);

}  // namespace shortfall::studies
