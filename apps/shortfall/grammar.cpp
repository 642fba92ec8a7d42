#include "apps/shortfall/grammar.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/options.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "formats/inventory_keys.hpp"
#include "report/inventory_results.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/evaluation_method.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {
namespace {

/// As messages call it: "--out", or "the argument model".
std::string spoken_name(const CLI::Option& option) {
  return option.get_positional() ? "the argument " + option.get_name(true)
                                 : "--" + option.get_lnames().front();
}

std::vector<std::string> values_of(const CLI::Option& option) {
  if (option.count() > 0) return option.results();
  return {option.get_default_str()};
}

/// All files of a command line. Words in place of files are not there, and so no files.
std::vector<io::FileUse> file_uses(const CLI::App& app, const Vocabulary& vocabulary) {
  using Kind = io::FileUse::Kind;
  std::vector<io::FileUse> uses = {{"standard output", "-", Kind::written}};
  for (const CLI::Option* option : app.get_options()) {
    const auto found = vocabulary.find(option);
    if (found == vocabulary.end()) continue;
    const Access access = found->second.access;
    if (access == Access::none || access == Access::undeclared) continue;
    const std::string name = spoken_name(*option);
    for (const std::string& path : values_of(*option)) {
      if (path.empty()) continue;
      if (access == Access::read) {
        uses.push_back({name, path, Kind::read});
      } else if (found->second.paths == Offers::Paths::directories) {
        for (const std::string& file : found->second.contents) {
          uses.push_back({file + " in " + name, path + "/" + file, Kind::written});
        }
      } else if (path != "-" && path != "/dev/stdout") {
        uses.push_back({name, path, Kind::written});
      }
    }
  }
  return uses;
}

}  // namespace

Grammar CommandGroup::add(const std::string& name, const std::string& help, Command run) const {
  CLI::App& app = *app_->add_subcommand(name, help);
  const auto steps = std::make_shared<Grammar::Steps>();
  // The processes outlive the commands, and the vocabulary the reading of the command line.
  app.callback([&app, &vocabulary = *vocabulary_, &processes = *processes_, steps,
                run = std::move(run), chosen = chosen_] {
    processes.on_first([&] { io::check_no_overwriting(file_uses(app, vocabulary)); });
    for (const auto& check : steps->checks) check();
    *chosen = [steps, &processes, run] {
      processes.on_first([&] {
        for (const auto& probe : steps->probes) probe();
      });
      return run();
    };
  });
  return {app, steps, *vocabulary_, *processes_};
}

CommandGroup CommandGroup::add_group(const std::string& name, const std::string& help,
                                     const std::string& footer) const {
  CLI::App& app = *app_->add_subcommand(name, help);
  app.require_subcommand(1);
  app.footer(footer);
  return {app, *chosen_, *vocabulary_, *processes_};
}

std::vector<std::string> words_in(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    words.emplace_back(word.substr(0, word.find_first_of(":=") + 1));
    if (words.back().empty()) words.back() = word;
    begin = end + 2;
  }
  return words;
}

CLI::Validator not_empty() {
  return {[](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); },
          ""};
}

CLI::Option* add_input(const Grammar& grammar, const std::string& name, std::string& path,
                       const std::string& help) {
  CLI::Option* option = grammar->add_option(name, path, help)->check(not_empty());
  grammar.reads(name);
  return option;
}

CLI::Option* add_output(const Grammar& grammar, const std::string& name, std::string& path,
                        const std::string& help) {
  CLI::Option* option = grammar->add_option(name, path, help)->check(not_empty());
  grammar.writes(name);
  grammar.add_check([name = spoken_name(*option), &path] { check_is_file(name, path); });
  grammar.add_probe([&path] {
    if (!path.empty()) io::check_writable(path);
  });
  return option;
}

void add_count(const Grammar& grammar, const std::string& name, std::uint64_t& value,
               std::uint64_t most, const std::string& help) {
  grammar->add_option(name, value, help)
      ->check(CLI::Range(std::uint64_t{1}, most).description(""))
      ->capture_default_str();
}

CLI::Option* add_repeated(const Grammar& grammar, const std::string& name,
                          std::vector<std::string>& values, const std::string& help) {
  return grammar->add_option(name, values, help)->allow_extra_args(false)->check(not_empty());
}

void add_numbers(const Grammar& grammar, const std::string& name, std::vector<double>& values,
                 const std::string& help) {
  CLI::Option* option =
      grammar->add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
  if (!values.empty()) option->capture_default_str();
}

CLI::Option* add_parsed(const Grammar& grammar, const std::string& name,
                        std::function<void(const std::string&)> parse, const std::string& help) {
  const auto text = std::make_shared<std::string>();
  CLI::Option* option = grammar->add_option(name, *text, help);
  grammar.add_check([option, name, text, parse = std::move(parse)] {
    if (option->count() == 0) return;
    try {
      parse(*text);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", name, error.what()));
    }
  });
  return option;
}

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

/// The words that results have and functions accept, by the names of their types in Python.
json words_document() {
  return {{"Status", words_of(status_names)},
          {"LearnerStatus", words_of(learn::status_names)},
          {"IntervalStatus", words_of(learn::interval_status_names)},
          {"Stopping", words_of(inventory::stopping_names)},
          {"Dates", words_of(io::date_order_names)},
          {"Evaluation", words_of(inventory::evaluation_kind_names)},
          {"Normalisation", words_of(inventory::stock_normalisation_names)},
          {"Paths", words_of(inventory::sample_paths_names)},
          {"Start", words_of(inventory::path_start_names)},
          {"FirstWeights", words_of(inventory::first_weights_names)},
          {"NextWeights", words_of(inventory::next_weights_names)},
          {"Draws", words_of(inventory::improvement_draws_names)}};
}

}  // namespace

std::string grammar_document(const CLI::App& app, const Vocabulary& vocabulary,
                             const std::string& version) {
  json document = {
      {"program", app.get_name()},        {"version", version},
      {"purpose", app.get_description()}, {"options", options_document(vocabulary, app, false)},
      {"commands", json::array()},        {"groups", json::array()},
      {"configuration", json::array()},   {"losses", AnyLoss::spellings},
      {"exit_codes", json::array()},      {"results", report::result_descriptions()},
      {"words", words_document()}};
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
