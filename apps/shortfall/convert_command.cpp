#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "shortfall/formats/model_file.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

struct ConvertOptions : GeneralOptions {
  std::string input;
  std::string output;
  std::optional<io::ModelFormat> to;
};

io::ModelFormat output_format(const ConvertOptions& options) {
  if (options.to) return *options.to;
  if (options.output.ends_with(".csv")) return io::ModelFormat::csv;
  require(options.output.ends_with(".bin"),
          "{}: its extension does not determine the format; accepted: .csv, .bin, or any with --to "
          "csv or "
          "--to binary",
          options.output);
  return io::ModelFormat::binary;
}

/// The size of a file; nothing for a device.
std::optional<std::uintmax_t> bytes_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? std::nullopt : std::optional(bytes);
}

nlohmann::json as_json(const io::LoadedModel& loaded, io::ModelFormat format) {
  const Outcomes& outcomes = loaded.model.outcomes();
  return {{"format", name_of(format, io::model_format_names)},
          {"sense", loaded.sense == io::Sense::reward ? "reward" : "cost"},
          {"states", loaded.model.states()},
          {"rows", outcomes.rows()},
          {"outcomes", outcomes.size()}};
}

ExitCode run_convert(const ConvertOptions& options) {
  const io::ModelFormat format = output_format(options);
  const io::LoadedModel loaded = io::read_model(options.input, {.threads = options.threads});
  io::write_model(options.output, loaded, format);
  const std::optional<std::uintmax_t> bytes = bytes_of(options.output);
  if (options.json) {
    nlohmann::json document = as_json(loaded, format);
    document["bytes"] = bytes ? nlohmann::json(*bytes) : nlohmann::json();
    print_json(document);
    return success;
  }
  const Outcomes& outcomes = loaded.model.outcomes();
  print(fmt::format(
      "{}: {}, {}, {}, {}{}\n", options.output, name_of(format, io::model_format_names),
      io::counted(loaded.model.states(), "state"),
      io::counted(outcomes.rows(), "state-action pair"), io::counted(outcomes.size(), "outcome"),
      bytes ? fmt::format(", {} bytes", *bytes) : ""));
  return success;
}

}  // namespace

void add_convert(const CommandGroup& group) {
  const auto options = std::make_shared<ConvertOptions>();
  const Grammar grammar =
      group.add("convert", "Convert a model to binary, which loads fast, or back to CSV",
                [options] { return run_convert(*options); });
  add_input(grammar, "input", options->input,
            "Model as CSV or binary, whichever the file contains; -: CSV on standard input")
      ->required();
  add_output(grammar, "output", options->output, "File to write: .bin is binary, .csv is CSV")
      ->required();
  add_named(grammar, "--to", options->to, io::model_format_names, "format",
            "Format to write, csv or binary; default: by the extension of the output");
  add_general_options(grammar, *options, Randomness::none);
  grammar.add_check([options] { output_format(*options); });
  grammar->footer(
      "solve, evaluate, check and study read either format. A binary model gives the same "
      "results,\n"
      "to the last bit.\n\n"
      "JSON: format, sense, states, rows (pairs of state and action), outcomes, bytes (null: a "
      "device)\n\n"
      "Example: shortfall convert examples/forest.csv forest.bin");
}

}  // namespace shortfall::app
