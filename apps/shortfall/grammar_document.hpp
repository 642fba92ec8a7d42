#pragma once

#include <CLI/CLI.hpp>
#include <string>

/// The whole command line as data, from which references, manual pages and completions are made.
namespace shortfall::app {

/// JSON of a program whose commands have been added: `program`, `version`, `purpose`, `options` of
/// the program itself, and
/// - `commands`, those that can be run, each with `name` ("inventory solve"), `purpose`, `notes`
/// (the
///   end of its help), and `arguments` and `options` in the order of the help. Each of these has
///   `name`, `meaning`, `required`, `repeatable`; `type` (null: a flag), `default` (null: none),
///   `accepted` (a list of words, a range, or null: see the meaning), `excludes`, and `listed`:
///   whether the help shows it;
/// - `groups`, commands that only have subcommands: `name`, `purpose`, `notes`;
/// - `configuration`, the keys of inventory configurations: `key`, `accepted`, `absent`, `meaning`;
/// - `losses`, as they are written, and `exit_codes`.
std::string grammar_document(const CLI::App& app, const std::string& version);

}  // namespace shortfall::app
