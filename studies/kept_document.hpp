#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "study.hpp"

/// Documents that a later run takes for its own work. Each ends with a checksum of its text, so
/// that one that was damaged, cut short or edited is not taken.
namespace shortfall::studies {

enum class Layout {
  one_line,
  rows  ///< a line for each row of its tables
};

/// Writes `document` to `path`, with the key `checksum` behind the others. Returns what read_kept()
/// gives. Throws OutputError.
Json keep(const std::filesystem::path& path, Json document, Layout layout);

/// The document at `path`, where its checksum matches and it has all keys of `identity` with the
/// same values: not one of another run, and not something else that has the name.
std::optional<Json> read_kept(const std::filesystem::path& path, const Json& identity);

/// Whether it has the findings and tables of a study's document, as web/README.md describes them.
bool is_study_document(const Json& document);

}  // namespace shortfall::studies
