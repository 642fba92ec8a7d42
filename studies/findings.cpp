#include "studies/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// "not reproduced" for not-reproduced.
std::string words(const Json& verdict) {
  std::string text = verdict.get<std::string>();
  std::ranges::replace(text, '-', ' ');
  return text;
}

/// Which program computed the documents, when and where.
std::string origin_of(const Json& document, const Computed& computed) {
  const auto known = [](const std::string& text, std::string_view otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  const std::string machine =
      fmt::format("{}{}", known(computed.processor, "a processor of unknown model"),
                  computed.cores > 0
                      ? fmt::format(", {} core{}", computed.cores, computed.cores == 1 ? "" : "s")
                      : "");
  return fmt::format(
      "Written by `shortfall reproduce all`, version {}, {}, on {}, on a machine with {}; scale "
      "{}, seed {}{}.\n{} {}\n",
      document["version"].get<std::string>(),
      computed.commit.empty() ? "built outside a git tree"
                              : fmt::format("commit {}", computed.commit),
      known(computed.date, "an unknown day"), machine, document["scale"].get<std::string>(),
      document["seed"].get<std::uint64_t>(),
      computed.seconds > 0.0 ? fmt::format(", {:.0f} minutes", std::ceil(computed.seconds / 60.0))
                             : "; the results were there already",
      source_hash_label, document["source_hash"].get<std::string>());
}

std::string section_of(const Json& document) {
  const auto text = [&](const char* key) { return document[key].get<std::string>(); };
  std::string section = fmt::format(
      "\n## {}\n\n{} ({})\n\n`shortfall reproduce {} --out DIR`\n\n"
      "| claim | whose | published | computed | |\n|---|---|---|---|---|\n",
      text("title"), text("question"), text("source"), text("study"));
  for (const Json& finding : document["findings"]) {
    section +=
        fmt::format("| {} | {} | {} | {} | {} |\n", cell(finding["claim"]), cell(finding["origin"]),
                    cell(finding["published"]), cell(finding["found"]), words(finding["verdict"]));
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
                          words(row["ours"]), words(row["as_published"]));
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

void to_json(Json& json, Origin origin) {
  json = to_string(origin);
}

void from_json(const Json& json, Origin& origin) {
  origin = json == to_string(Origin::ours) ? Origin::ours : Origin::paper;
}

std::vector<Finding> of_our_own(std::vector<Finding> findings) {
  for (Finding& finding : findings) finding.origin = Origin::ours;
  return findings;
}

void Verdicts::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed:
      ++confirmed;
      return;
    case Verdict::refuted:
      ++refuted;
      return;
    case Verdict::not_reproduced:
      ++not_reproduced;
      return;
    case Verdict::not_comparable:
      ++not_comparable;
      return;
    case Verdict::open:
      ++open;
      return;
  }
}

void Verdicts::add(const Verdicts& other) {
  confirmed += other.confirmed;
  refuted += other.refuted;
  not_reproduced += other.not_reproduced;
  not_comparable += other.not_comparable;
  open += other.open;
}

std::string Verdicts::text() const {
  const std::array<std::pair<int, const char*>, 5> counts{{{confirmed, "confirmed"},
                                                           {refuted, "refuted"},
                                                           {not_reproduced, "not reproduced"},
                                                           {not_comparable, "not comparable"},
                                                           {open, "left open"}}};
  std::vector<std::string> parts;
  for (const auto& [count, name] : counts) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

VerdictsByOrigin count_verdicts(const Json& document) {
  VerdictsByOrigin count;
  for (const Json& json : document["findings"]) {
    const auto finding = json.get<Finding>();
    (finding.origin == Origin::ours ? count.ours : count.paper).add(finding.verdict);
  }
  return count;
}

std::string markdown_of(const std::vector<Json>& documents, const Computed& computed) {
  VerdictsByOrigin total;
  std::string sections;
  for (const Json& document : documents) {
    const VerdictsByOrigin counted = count_verdicts(document);
    total.paper.add(counted.paper);
    total.ours.add(counted.ours);
    sections += section_of(document);
  }
  return fmt::format(
             "# Published and recomputed results\n\n"
             "Statements of Wang and Delage that can be computed: {}. Our own statements: {}.\n\n"
             "*Not reproduced*: the statement held under none of our choices of what the paper "
             "leaves open, which says nothing about the choices that the paper made. *Not "
             "comparable*: it is about another program on another machine. *Left open*: the "
             "computation does not decide it, or the answer hangs on such a choice.\n\n",
             total.paper.text(), total.ours.text()) +
         origin_of(documents.front(), computed) + changed_sides_of(documents) + sections;
}

}  // namespace shortfall::studies
