#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/arguments.hpp"

/// Options that several commands take.
namespace shortfall::app {

/// An empty argument is a mistake in a shell script.
inline CLI::Validator not_empty() {
  return {[](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); },
          ""};
}

/// Whether a command draws random numbers.
enum class Randomness { none, seeded };

/// --json, --seed and --threads. Every command accepts --seed, but only those that draw random
/// numbers list it in their help.
void add_common(CLI::App& command, CommonOptions& options, Randomness randomness);

/// A count, from 1 to `most`.
void add_count(CLI::App& command, const std::string& name, std::uint64_t& value, std::uint64_t most,
               const std::string& help);

/// An option that may be repeated, each time with one value.
CLI::Option* add_repeated(CLI::App& command, const std::string& name,
                          std::vector<std::string>& values, const std::string& help);

/// The subcommands of `inventory` and their options.
class InventoryGrammar {
 public:
  explicit InventoryGrammar(CLI::App& app);
  /// The subcommand on the command line, with checked options; nothing if it is none of these.
  std::optional<Command> command() const;

 private:
  CLI::App& inventory_;
  InventorySolveOptions solve_;
  InventoryEvaluateOptions evaluate_;
  InventoryTrainOptions train_;
  InventorySimulateOptions simulate_;
  InventoryReportOptions report_;
};

}  // namespace shortfall::app
