#include "apps/shortfall/grammar.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "formats/inventory_keys.hpp"
#include "report/inventory_results.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {
namespace {

using nlohmann::json;

/// The words of "{a,b,c}", or the text as it is, such as "UINT in [1 - 10]".
json accepted_values(const std::string& text) {
  if (text.empty()) return nullptr;
  if (!text.starts_with('{')) return text;
  json words = json::array();
  std::size_t begin = 1;
  for (std::size_t end = text.find(','); end != std::string::npos; end = text.find(',', begin)) {
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  words.push_back(text.substr(begin, text.size() - 1 - begin));
  return words;
}

/// CLI11 hides the names of options that are not listed from get_name().
std::string option_name(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  return "--" + option.get_lnames().front();
}

/// Completes an option that takes a value.
void add_offers(const Vocabulary& vocabulary, const CLI::Option& option, json& document) {
  constexpr std::array paths = {"none", "files", "directories"};
  const Offers no_path{.words = {}, .paths = Offers::Paths::none, .access = Access::none};
  Offers offers = document["type"] == "TEXT" ? Offers() : no_path;
  if (const auto found = vocabulary.find(&option); found != vocabulary.end()) {
    offers = found->second;
  }
  if (document["accepted"].is_array()) {
    offers = no_path;
    offers.words = document["accepted"];
  }
  document["words"] = offers.words;
  document["paths"] = paths.at(static_cast<std::size_t>(offers.paths));
  document["access"] = name_of(offers.access, access_names);
  document["contents"] = offers.contents;
}

json option_document(const Vocabulary& vocabulary, const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  const bool is_flag = option.get_items_expected_max() == 0;
  std::vector<std::string> excludes;
  for (const CLI::Option* other : option.get_excludes()) excludes.push_back(option_name(*other));
  std::ranges::sort(excludes);  // CLI11 orders them by address
  json document = {{"name", option_name(option)},
                   {"meaning", option.get_description()},
                   {"required", option.get_required()},
                   {"repeatable", option.get_items_expected_max() > 1},
                   {"type", nullptr},
                   {"accepted", nullptr},
                   {"default", nullptr},
                   {"excludes", excludes},
                   {"listed", !option.get_group().empty()},
                   {"words", json::array()},
                   {"paths", "none"},
                   {"access", "none"},
                   {"contents", json::array()}};
  if (is_flag) return document;
  document["type"] = type.substr(0, colon);
  if (colon != std::string::npos) document["accepted"] = accepted_values(type.substr(colon + 1));
  if (!option.get_default_str().empty()) document["default"] = option.get_default_str();
  add_offers(vocabulary, option, document);
  return document;
}

json options_document(const Vocabulary& vocabulary, const CLI::App& app, bool positional) {
  json options = json::array();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() == positional)
      options.push_back(option_document(vocabulary, *option));
  }
  return options;
}

void add_commands_of(const Vocabulary& vocabulary, const CLI::App& app, const std::string& prefix,
                     json& document) {
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string name = prefix + command->get_name();
    json entry = {
        {"name", name}, {"purpose", command->get_description()}, {"notes", command->get_footer()}};
    if (command->get_subcommands({}).empty()) {
      entry["arguments"] = options_document(vocabulary, *command, true);
      entry["options"] = options_document(vocabulary, *command, false);
      document["commands"].push_back(std::move(entry));
    } else {
      document["groups"].push_back(std::move(entry));
      add_commands_of(vocabulary, *command, name + " ", document);
    }
  }
}

}  // namespace

std::string grammar_document(const CLI::App& app, const Vocabulary& vocabulary,
                             const std::string& version) {
  json document = {
      {"program", app.get_name()},        {"version", version},
      {"purpose", app.get_description()}, {"options", options_document(vocabulary, app, false)},
      {"commands", json::array()},        {"groups", json::array()},
      {"configuration", json::array()},   {"losses", AnyLoss::spellings},
      {"exit_codes", json::array()},      {"results", report::result_descriptions()}};
  add_commands_of(vocabulary, app, "", document);
  for (const io::InventoryKey& key : io::inventory_keys()) {
    document["configuration"].push_back({{"key", key.name},
                                         {"accepted", key.accepted},
                                         {"absent", key.absent},
                                         {"meaning", key.meaning}});
  }
  for (const auto& [code, meaning] : exit_codes) {
    document["exit_codes"].push_back({{"code", static_cast<int>(code)}, {"meaning", meaning}});
  }
  return document.dump(2);
}

}  // namespace shortfall::app
