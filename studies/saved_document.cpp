#include "studies/saved_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/checksum.hpp"
#include "files/input_file.hpp"

namespace shortfall::studies {
namespace {

constexpr std::string_view key = "checksum";
/// Placeholder for the checksum while it is computed.
constexpr std::string_view checksum_placeholder = "00000000";

/// The position of the checksum in the text of a document; npos if it has none.
std::size_t place_of_checksum(std::string_view text) {
  const std::size_t quoted_key = text.rfind(fmt::format("\"{}\"", key));
  if (quoted_key == std::string_view::npos) return quoted_key;
  const std::size_t quote = text.find('"', quoted_key + key.size() + 2);
  const bool has_room =
      quote != std::string_view::npos && text.size() - quote > checksum_placeholder.size();
  return has_room ? quote + 1 : std::string_view::npos;
}

std::string checksum_of(std::string_view text) {
  return fmt::format("{:08x}", io::checksum(text));
}

bool is_intact(std::string text) {
  const std::size_t place = place_of_checksum(text);
  if (place == std::string::npos) return false;
  const std::string found = text.substr(place, checksum_placeholder.size());
  return checksum_of(text.replace(place, checksum_placeholder.size(), checksum_placeholder)) ==
         found;
}

bool is_table(const Json& table) {
  return table.is_array() &&
         std::ranges::all_of(table, [](const Json& row) { return row.is_object(); });
}

/// Whether it has the findings and tables of a study's document, as web/README.md describes them.
bool is_study_document(const Json& document) try {
  const auto results = document.get<Results>();
  return Json(results.findings) == document.at("findings") && results.facts.is_object() &&
         results.tables.is_object() && std::ranges::all_of(results.tables, is_table);
} catch (const Json::exception&) {
  return false;
}

}  // namespace

Json save_document(const std::filesystem::path& path, Json document) {
  document.erase(std::string(key));
  document[std::string(key)] = checksum_placeholder;
  std::string text = report::text_of(document);
  text.replace(place_of_checksum(text), checksum_placeholder.size(), checksum_of(text));
  io::write_file(path.string(), text);
  document[std::string(key)] = text.substr(place_of_checksum(text), checksum_placeholder.size());
  return document;
}

std::optional<Json> load_document(const std::filesystem::path& path, const Json& identity) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const std::string text = io::whole_file(path.string(), "", "a document that can be read");
  if (!is_intact(text)) return std::nullopt;
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !is_study_document(document)) return std::nullopt;
  for (const auto& [name, value] : identity.items()) {
    if (!document.contains(name) || document[name] != value) return std::nullopt;
  }
  return document;
}

}  // namespace shortfall::studies
