#include "apps/shortfall/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shortfall/errors/error.hpp"

namespace shortfall::app {

Grammar CommandGroup::add(const std::string& name, const std::string& help, Command run) const {
  CLI::App& app = *app_->add_subcommand(name, help);
  const auto checks = std::make_shared<Grammar::Checks>();
  app.callback([checks, run = std::move(run), chosen = chosen_] {
    for (const auto& check : *checks) check();
    *chosen = run;
  });
  return {app, checks, *vocabulary_, *processes_};
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

}  // namespace shortfall::app
