#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/rows.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/option_style.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/plan/backtest.hpp"
#include "shortfall/inventory/plan/order.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/inventory/train/train.hpp"

/// What the inventory commands and Python return, as documents. inventory_fields.hpp lists the
/// fields of each result.
namespace shortfall::report {

/// A fit, the size of its plan, and the warnings about both in words.
struct FitReport {
  inventory::Fit fit;
  std::size_t capacity = 0;
  std::size_t max_order = 0;
  std::vector<std::string> warnings = {};
};
FitReport fit_report(inventory::Fit fit, const io::FittedPlan& plan);

/// A back-test, and its warnings in words.
struct BacktestReport {
  inventory::Backtest backtest;
  std::vector<std::string> warnings = {};
};
BacktestReport backtest_report(inventory::Backtest backtest, io::OptionStyle style);

/// What a rule orders today.
struct RuleToday {
  std::string name;
  std::size_t order;
};

/// An answer, beside the orders of rules.
struct OrderReport {
  inventory::OrderAnswer answer;
  std::vector<RuleToday> rules = {};
};

/// A result as a document, with keys in the order of its list. Defined for InventoryConfiguration,
/// Solution, FitReport, OrderReport, BacktestReport, BacktestPolicy, SimulationResult,
/// TrainingState, TrainingRecord and PlanReport.
template <class Result>
Json document_of(const Result& result);

/// A description of every result type (report/fields.hpp), for `shortfall --grammar`.
Json result_descriptions();

}  // namespace shortfall::report
