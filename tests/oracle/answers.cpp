#include "command.hpp"

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

namespace oracle {
namespace {

using nlohmann::json;

/// A message without the parts that differ between cases: numbers and file names.
std::string reason(const std::string& message) {
  std::string text;
  bool in_number = false;
  for (const char c : message.substr(0, message.find('\n'))) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool part = digit || (in_number && (c == '.' || c == 'e' || c == '-' || c == '+'));
    if (part && !in_number) text += '#';
    if (!part) text += c;
    in_number = part;
  }
  return text.substr(0, 110);
}

double number(const json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number() ? found->get<double>() : std::nan("");
}

Document read(const Case& drawn, const json& document) {
  Document result;
  result.status = document.value("status", "");
  result.name = document.value("policy", json()).is_string() ? document["policy"] : json("");
  for (const json& level : document.value("levels", json::array())) {
    if (!level.is_object()) {  // not an (s, S) policy on some day
      result.levels.clear();
      break;
    }
    result.levels.emplace_back(level.at("reorder_at"), level.at("order_up_to"));
  }
  if (!document.contains("error_bound")) {
    result.refusal = "no error_bound in the document";
    return result;
  }
  if (result.status == "overflow") {
    result.refusal = "no bound claimed, status overflow";
    return result;
  }
  result.claim.error_bound = number(document, "error_bound");
  switch (drawn.answer) {
    case Case::Answer::values:
      for (const json& value : document.at("values")) {
        result.claim.values.push_back(value.is_number() ? drawn.sign * value.get<double>()
                                                        : std::nan(""));
      }
      break;
    case Case::Answer::risk:
      result.claim.values = {number(document, "risk")};
      break;
    case Case::Answer::value_at_empty:
      result.claim.values = {number(document, "value_at_empty")};
      break;
    case Case::Answer::value:
      result.claim.values = {number(document, "value")};
  }
  for (const double value : result.claim.values) {
    if (!std::isfinite(value))
      result.refusal = "no bound claimed, a value is not finite, status " + result.status;
  }
  if (!result.refusal.empty()) return result;
  if (!std::isfinite(result.claim.error_bound)) {
    result.refusal = "no bound claimed, it is not finite, status " + result.status;
  }
  return result;
}

}  // namespace

std::vector<Document> documents_of(const Case& drawn, const Run& run) {
  const auto all = [&](const std::string& why) {
    Document refused;
    refused.refusal = why;
    return std::vector<Document>(drawn.problems.size(), refused);
  };
  if (run.exit_code < 0) return all("killed: it took too long");
  if (run.exit_code > 1)
    return all("exit code " + std::to_string(run.exit_code) + ": " + reason(run.err));
  const json document = json::parse(run.out, nullptr, false);
  if (document.is_discarded()) return all("exit code 1: " + reason(run.err));
  if (drawn.problems.size() == 1) return {read(drawn, document)};
  std::vector<Document> documents;
  const json& list = document.contains("policies") ? document["policies"] : document["sweep"];
  for (const json& entry : list) documents.push_back(read(drawn, entry));
  if (documents.size() != drawn.problems.size()) return all("unexpected number of documents");
  return documents;
}

}  // namespace oracle
