#include "apps/shortfall/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/shortfall/options.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "shortfall/errors/error.hpp"

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

}  // namespace shortfall::app
