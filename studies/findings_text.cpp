#include "studies/findings_text.hpp"

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

}  // namespace

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
         sections;
}

}  // namespace shortfall::studies
