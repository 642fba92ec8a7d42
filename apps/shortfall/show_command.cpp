#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/file_contents.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/learn_arguments.hpp"
#include "apps/shortfall/options.hpp"

namespace shortfall::app {
namespace {

struct ShowOptions : GeneralOptions {
  std::string file;
  IntervalRequest asked = {};
  std::string at;  ///< the file of states; empty: none
};

/// Strings without quotes; all else as in JSON.
std::string plain_text(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "none";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Keys and values in two columns. An object is a section, a list has one line per number.
std::string contents_text(const nlohmann::ordered_json& object, const std::string& indent) {
  std::size_t width = 0;
  for (const auto& [key, value] : object.items()) width = std::max(width, key.size());
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      text += fmt::format("{}{}\n{}", indent, key, contents_text(value, indent + "  "));
    } else if (value.is_array()) {
      text += fmt::format("{}{}\n", indent, key);
      for (std::size_t i = 0; i < value.size(); ++i) {
        text += fmt::format("{}{:>8}  {}\n", indent, i + 1, plain_text(value[i]));
      }
    } else {
      text += fmt::format("{}{:<{}}  {}\n", indent, key, width, plain_text(value));
    }
  }
  return text;
}

ExitCode run_show(const ShowOptions& options) {
  const nlohmann::ordered_json contents = file_contents(options.file, options.asked);
  if (options.json) print_json(nlohmann::json(contents));
  if (!options.json) print(contents_text(contents, ""));
  return success;
}

}  // namespace

void add_show(const CommandGroup& group) {
  const auto options = std::make_shared<ShowOptions>();
  const Grammar grammar =
      group.add("show", "Show what a checkpoint, a saved solution or a binary model holds",
                [options] { return run_show(*options); });
  add_input(grammar, "file", options->file,
            "Written by --checkpoint of learn or inventory train, by reproduce, by "
            "inventory solve --save, or by convert; a run may still be using it")
      ->required();
  add_interval_options(grammar, options->asked, options->at);
  add_general_options(grammar, *options, Randomness::none);
  grammar->footer("Example: shortfall show state.ckpt --at states.csv --confidence 0.95");
}

}  // namespace shortfall::app
