#pragma once

#include <optional>
#include <variant>

#include "apps/shortfall/options.hpp"

namespace shortfall::app {

using Command = std::variant<RiskOptions, SolveOptions, EvaluateOptions, CheckOptions, LearnOptions,
                             InventorySolveOptions, InventoryEvaluateOptions, InventoryTrainOptions,
                             InventorySimulateOptions, InventoryReportOptions, ReproduceOptions>;

/// Reads the command line. Prints help or version where requested, and returns nothing then. Throws
/// InvalidInput that names the option and what is accepted.
std::optional<Command> parse_arguments(int argc, char** argv);

}  // namespace shortfall::app
