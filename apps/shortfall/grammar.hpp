#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"

/// Options that several commands take.
namespace shortfall::app {

/// An argument that is there but empty is a slip of the shell, never meant.
inline CLI::Validator not_empty() {
  return {[](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); },
          ""};
}

/// --json, --seed and --threads.
void add_common(CLI::App& command, CommonOptions& options);

/// A count, from 1 to `most`.
void add_count(CLI::App& command, const std::string& name, std::uint64_t& value, std::uint64_t most,
               const std::string& help);

/// An option that may be repeated, each time with one value.
CLI::Option* add_repeated(CLI::App& command, const std::string& name,
                          std::vector<std::string>& values, const std::string& help);

/// The commands of `inventory`, and what they are asked to do.
class InventoryGrammar {
 public:
  explicit InventoryGrammar(CLI::App& app);
  /// The command that was given, checked; nothing where it is none of these.
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
