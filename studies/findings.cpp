#include "studies/findings.hpp"

#include <fmt/format.h>

namespace shortfall::studies {
namespace {

/// Text within a cell of a Markdown table.
std::string cell(const Json& text) {
  std::string result;
  for (const char c : text.get<std::string>()) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string section_of(const Json& document) {
  const auto text = [&](const char* key) { return document[key].get<std::string>(); };
  std::string section = fmt::format(
      "\n## {}\n\n{} ({})\n\n`shortfall reproduce {} --out DIR`\n\n"
      "| claim | published | computed | |\n|---|---|---|---|\n",
      text("title"), text("question"), text("source"), text("study"));
  for (const Json& finding : document["findings"]) {
    section +=
        fmt::format("| {} | {} | {} | {} |\n", cell(finding["claim"]), cell(finding["published"]),
                    cell(finding["found"]), cell(finding["verdict"]));
  }
  return section;
}

/// Statements on which training as published and ours disagree, of all studies.
std::string changed_sides_of(const std::vector<Json>& documents) {
  std::string rows;
  for (const Json& document : documents) {
    if (!document.contains("tables") || !document["tables"].contains("changed_sides")) continue;
    for (const Json& row : document["tables"]["changed_sides"]) {
      rows += fmt::format("| {} | {} | {} | {} |\n", cell(document["title"]), cell(row["claim"]),
                          cell(row["ours"]), cell(row["as_published"]));
    }
  }
  if (rows.empty()) return rows;
  return "\n## What changes sides with the training\n\n"
         "Verdicts on trained policies rest on training as published, under several choices of "
         "what "
         "the paper leaves open. With our training alone they would differ in these statements:\n\n"
         "| study | claim | ours | as published |\n|---|---|---|---|\n" +
         rows;
}

}  // namespace

void to_json(Json& json, Verdict verdict) {
  json = to_string(verdict);
}

void from_json(const Json& json, Verdict& verdict) {
  verdict = Verdict::open;
  for (const auto& [name, value] : verdict_names) {
    if (json == name) verdict = value;
  }
}

Verdicts count_verdicts(const Json& document) {
  Verdicts count;
  for (const Json& finding : document["findings"]) {
    if (finding["verdict"] == to_string(Verdict::confirmed)) {
      ++count.confirmed;
    } else if (finding["verdict"] == to_string(Verdict::refuted)) {
      ++count.refuted;
    } else {
      ++count.open;
    }
  }
  return count;
}

std::string markdown_of(const std::vector<Json>& documents) {
  Verdicts total;
  std::string sections;
  for (const Json& document : documents) {
    const auto [confirmed, refuted, open] = count_verdicts(document);
    total.confirmed += confirmed;
    total.refuted += refuted;
    total.open += open;
    sections += section_of(document);
  }
  const Json& first = documents.front();
  return fmt::format(
             "# Published and recomputed results\n\n"
             "The statements of Wang and Delage that can be computed, and our own: {} confirmed, "
             "{} refuted,\n{} left open. Written by `shortfall reproduce all`, version "
             "{}, scale {}, seed {}.\n",
             total.confirmed, total.refuted, total.open, first["version"].get<std::string>(),
             first["scale"].get<std::string>(), first["seed"].get<std::uint64_t>()) +
         changed_sides_of(documents) + sections;
}

}  // namespace shortfall::studies
