#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/processes.hpp"
#include "shortfall/names/names.hpp"

/// How commands declare themselves and their options. CLI11 is slow to compile, so only sources
/// include this header, and headers declare `class Grammar`.
namespace shortfall::app {

/// What a command does with the file or directory that the value of an option names.
enum class Access {
  undeclared,  ///< an option of type TEXT that does not say; the test `Files` allows none
  none,        ///< the value is not a path
  read,
  written,
  updated  ///< read if it is there, and written
};
inline constexpr Names<Access, 5> access_names{{{"undeclared", Access::undeclared},
                                                {"none", Access::none},
                                                {"read", Access::read},
                                                {"written", Access::written},
                                                {"updated", Access::updated}}};

/// What an option or argument of type TEXT takes, and what a shell can offer. A word that ends with
/// ":" or "=" is only the beginning of a value.
struct Offers {
  enum class Paths { none, files, directories };
  std::vector<std::string> words = {};
  Paths paths = Paths::files;
  Access access = Access::undeclared;
  std::vector<std::string> contents = {};  ///< the files that are written to a directory
};

using Vocabulary = std::map<const CLI::Option*, Offers>;

/// The options of one command for CLI11, and checks that CLI11 cannot do.
class Grammar {
 public:
  using Checks = std::vector<std::function<void()>>;
  struct Steps {
    Checks checks;
    Checks probes;  ///< of outputs, by the first process, before the work
  };
  Grammar(CLI::App& app, std::shared_ptr<Steps> steps, Vocabulary& vocabulary,
          const Processes& processes)
      : app_(&app), steps_(std::move(steps)), vocabulary_(&vocabulary), processes_(&processes) {}

  CLI::App* operator->() const { return app_; }
  const CLI::App& app() const { return *app_; }
  const Processes& processes() const { return *processes_; }  ///< that will run the command

  /// Called once all arguments are read, after the checks added before. It throws InvalidInput that
  /// names the option and what is accepted.
  void add_check(std::function<void()> check) const { steps_->checks.push_back(std::move(check)); }
  /// Called by the first process, before the run: throws OutputError if a file cannot be written.
  void add_probe(std::function<void()> probe) const { steps_->probes.push_back(std::move(probe)); }

  /// For an option or argument that has been added and takes words, or something other than paths.
  void offer(const std::string& name, std::vector<std::string> words,
             Offers::Paths paths = Offers::Paths::none) const {
    Offers& offers = offers_of(name);
    offers.words = std::move(words);
    offers.paths = paths;
    if (paths == Offers::Paths::none) offers.access = Access::none;
  }

  // What the command does with the path that an option or argument takes. Before any other check,
  // no file of a command line may be written that is also read, or written twice.
  void reads(const std::string& name) const { offers_of(name).access = Access::read; }
  void writes(const std::string& name) const { offers_of(name).access = Access::written; }
  void updates(const std::string& name) const { offers_of(name).access = Access::updated; }
  /// A directory, and the names of the files that the command may write there.
  void writes_into(const std::string& name, std::vector<std::string> contents) const {
    offers_of(name) = {.words = {},
                       .paths = Offers::Paths::directories,
                       .access = Access::written,
                       .contents = std::move(contents)};
  }

 private:
  Offers& offers_of(const std::string& name) const {
    return (*vocabulary_)[app_->get_option(name)];
  }

  CLI::App* app_;
  std::shared_ptr<Steps> steps_;
  Vocabulary* vocabulary_;
  const Processes* processes_;
};

/// The commands from which the command line chooses one.
class CommandGroup {
 public:
  CommandGroup(CLI::App& app, Command& chosen, Vocabulary& vocabulary, const Processes& processes)
      : app_(&app), chosen_(&chosen), vocabulary_(&vocabulary), processes_(&processes) {}

  const Processes& processes() const { return *processes_; }  ///< outlive the commands

  /// `run` owns the options.
  Grammar add(const std::string& name, const std::string& help, Command run) const;
  /// A command that only has subcommands.
  CommandGroup add_group(const std::string& name, const std::string& help,
                         const std::string& footer) const;

 private:
  CLI::App* app_;
  Command* chosen_;
  Vocabulary* vocabulary_;
  const Processes* processes_;
};

/// The words of a list as messages and help write them, without parameters, which only the user
/// knows: "static, fixed:N" has the words "static" and "fixed:".
std::vector<std::string> words_in(std::string_view list);

/// An empty argument is a mistake in a shell script.
CLI::Validator not_empty();

/// An input: a file, or - for standard input.
CLI::Option* add_input(const Grammar& grammar, const std::string& name, std::string& path,
                       const std::string& help);

/// An output file, not standard output. That it can be written is checked before the work.
CLI::Option* add_output(const Grammar& grammar, const std::string& name, std::string& path,
                        const std::string& help);

/// A count, from 1 to `most`.
void add_count(const Grammar& grammar, const std::string& name, std::uint64_t& value,
               std::uint64_t most, const std::string& help);

/// An option that may be repeated, each time with one value.
CLI::Option* add_repeated(const Grammar& grammar, const std::string& name,
                          std::vector<std::string>& values, const std::string& help);

/// Numbers separated by commas.
void add_numbers(const Grammar& grammar, const std::string& name, std::vector<double>& values,
                 const std::string& help);

template <class Value, std::size_t n>
std::vector<std::string> words_of(const Names<Value, n>& names) {
  std::vector<std::string> words;
  for (const auto& known : names) words.emplace_back(known.first);
  return words;
}

/// One of several names, each with its value. They must outlive the grammar.
template <class Value, std::size_t n>
CLI::Option* add_choice(const Grammar& grammar, const std::string& name, Value& value,
                        const Names<Value, n>& names, const std::string& help) {
  const auto set = [&value, &names](const std::string& given) {
    value = value_named(given, names, "choice");
  };
  return grammar->add_option_function<std::string>(name, set, help)
      ->check(CLI::IsMember(words_of(names)))
      ->default_str(std::string(name_of(value, names)));
}

/// A word that `parse` reads, once all arguments are read: CLI11 would not show its message.
CLI::Option* add_parsed(const Grammar& grammar, const std::string& name,
                        std::function<void(const std::string&)> parse, const std::string& help);

/// The same for one of several names, without a default; messages call them `what`.
template <class Value, class Names>
void add_named(const Grammar& grammar, const std::string& name, Value& value, const Names& names,
               std::string_view what, const std::string& help) {
  const auto set = [&value, &names, what](const std::string& given) {
    value = value_named(given, names, what);
  };
  add_parsed(grammar, name, set, help);
  grammar.offer(name, words_of(names));
}

/// The whole command line as data, from which references, manual pages and completions are made.
/// JSON of a program whose commands have been added: `program`, `version`, `purpose`, `options` of
/// the program itself, and
/// - `commands`, those that can be run, each with `name` ("inventory solve"), `purpose`, `notes`
/// (the
///   end of its help), and `arguments` and `options` in the order of the help. Each of these has
///   `name`, `meaning`, `required`, `repeatable`; `type` (null: a flag), `default` (null: none),
///   `accepted` (a list of words, a range, or null: see the meaning), `excludes`, `listed`: whether
///   the help shows it, what a shell can offer: `words` (":" and "=" end beginnings) and `paths`
///   ("files", "directories" or "none"), and what is done with the path: `access` ("none", "read",
///   "written" or "updated") and `contents`, the files that are written to a directory;
/// - `groups`, commands that only have subcommands: `name`, `purpose`, `notes`;
/// - `configuration`, the keys of inventory configurations: `key`, `accepted`, `absent`, `meaning`;
/// - `losses`, as they are written, and `exit_codes`;
/// - `results`, the result types: `name` of the class in Python, `meaning`, and `fields`, each with
///   `key`, `type` as in Python, `meaning`, and `in_documents`: always, if any or never.
std::string grammar_document(const CLI::App& app, const Vocabulary& vocabulary,
                             const std::string& version);

}  // namespace shortfall::app
