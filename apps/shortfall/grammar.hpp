#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/processes.hpp"
#include "shortfall/names.hpp"

/// How commands declare themselves and their options. CLI11 is slow to compile, so only sources
/// include this header, and headers declare `class Grammar`.
namespace shortfall::app {

/// The options of one command for CLI11, and checks that CLI11 cannot do.
class Grammar {
 public:
  using Checks = std::vector<std::function<void()>>;
  Grammar(CLI::App& app, std::shared_ptr<Checks> checks, const Processes& processes)
      : app_(&app), checks_(std::move(checks)), processes_(&processes) {}

  CLI::App* operator->() const { return app_; }
  const CLI::App& app() const { return *app_; }
  const Processes& processes() const { return *processes_; }  ///< that will run the command

  /// Called once all arguments are read, after the checks added before. It throws InvalidInput that
  /// names the option and what is accepted.
  void add_check(std::function<void()> check) const { checks_->push_back(std::move(check)); }

 private:
  CLI::App* app_;
  std::shared_ptr<Checks> checks_;
  const Processes* processes_;
};

/// The commands from which the command line chooses one.
class CommandGroup {
 public:
  CommandGroup(CLI::App& app, Command& chosen, const Processes& processes)
      : app_(&app), chosen_(&chosen), processes_(&processes) {}

  const Processes& processes() const { return *processes_; }  ///< outlive the commands

  /// `run` owns the options.
  Grammar add(const std::string& name, const std::string& help, Command run) const;
  /// A command that only has subcommands.
  CommandGroup add_group(const std::string& name, const std::string& help,
                         const std::string& footer) const;

 private:
  CLI::App* app_;
  Command* chosen_;
  const Processes* processes_;
};

/// An empty argument is a mistake in a shell script.
CLI::Validator not_empty();

/// A count, from 1 to `most`.
void add_count(const Grammar& grammar, const std::string& name, std::uint64_t& value,
               std::uint64_t most, const std::string& help);

/// An option that may be repeated, each time with one value.
CLI::Option* add_repeated(const Grammar& grammar, const std::string& name,
                          std::vector<std::string>& values, const std::string& help);

/// Numbers separated by commas.
void add_numbers(const Grammar& grammar, const std::string& name, std::vector<double>& values,
                 const std::string& help);

/// One of several names, each with its value. They must outlive the grammar.
template <class Value, std::size_t n>
CLI::Option* add_choice(const Grammar& grammar, const std::string& name, Value& value,
                        const Names<Value, n>& names, const std::string& help) {
  std::vector<std::string> accepted;
  for (const auto& known : names) accepted.emplace_back(known.first);
  const auto set = [&value, &names](const std::string& given) {
    value = value_named(given, names, "choice");
  };
  return grammar->add_option_function<std::string>(name, set, help)
      ->check(CLI::IsMember(accepted))
      ->default_str(std::string(name_of(value, names)));
}

/// A word that `parse` reads, once all arguments are read: CLI11 would not show its message.
CLI::Option* add_parsed(const Grammar& grammar, const std::string& name,
                        std::function<void(const std::string&)> parse, const std::string& help);

}  // namespace shortfall::app
