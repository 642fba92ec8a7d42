#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "studies/study.hpp"

/// Documents that a later run reuses. Each ends with a checksum of its text, so that a damaged,
/// truncated or edited document is not reused.
namespace shortfall::studies {

/// Writes `document` to `path`, with one line per row of its tables and a last key `checksum`.
/// Returns the same as load_document(). Throws OutputError.
Json save_document(const std::filesystem::path& path, Json document);

/// The document at `path` if its checksum matches and it has all keys of `identity` with the same
/// values; nothing if it is from another run, or is not such a document.
std::optional<Json> load_document(const std::filesystem::path& path, const Json& identity);

/// Whether it has the findings and tables of a study's document, as web/README.md describes them.
bool is_study_document(const Json& document);

}  // namespace shortfall::studies
