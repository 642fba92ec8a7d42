#pragma once

#include <string>

#include "apps/shortfall/options.hpp"

/// Checks that the option parser cannot do: values and combinations that make no sense. Each throws
/// InvalidInput that names the option and what is accepted.
namespace shortfall::app {

[[noreturn]] void refuse(const std::string& what, const std::string& accepted);

void check(const RiskOptions& options);
void check(const SolveOptions& options);
void check(const EvaluateOptions& options);
void check(const CheckOptions& options);
void check(const LearnOptions& options);
void check(const InventorySolveOptions& options);
void check(const InventoryEvaluateOptions& options);
void check(const InventoryTrainOptions& options);
void check(const InventorySimulateOptions& options);
void check(const InventoryReportOptions& options);
void check(const ReproduceOptions& options);

}  // namespace shortfall::app
