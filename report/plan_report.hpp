#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shortfall/formats/option_style.hpp"
#include "shortfall/inventory/plan/plan.hpp"
#include "shortfall/inventory/plan/plan_records.hpp"

/// A complete plan as data: what `inventory report` prints, the page shows, and Python returns.
/// plan_fields.hpp says what each number means.
namespace shortfall::report {

/// What the page is about. Empty texts are not shown.
struct PlanHeader {
  std::string source;    ///< where the stock is described, such as the name of a file
  std::string product;   ///< "Platelets, group O"
  std::string currency;  ///< "EUR"
  std::string date;      ///< of the page, as it was given: the same input gives the same bytes
  std::vector<std::string> placeholder_costs = {};  ///< as InventoryConfiguration has them
};

/// A plan, and if there are records what they say about it.
struct PlanDocument {
  const inventory::Plan& plan;
  PlanHeader header;
  const inventory::PlanRecords* records = nullptr;    ///< null: none
  io::OptionStyle style = io::OptionStyle::argument;  ///< of options in warnings
};

/// One number, or seven if they differ by weekday.
template <class Number>
using OneOrWeek = std::variant<Number, std::vector<Number>>;

struct PlanCosts {
  OneOrWeek<double> order;
  OneOrWeek<double> unit;
  OneOrWeek<double> holding;
  OneOrWeek<double> shortage;
  OneOrWeek<double> wastage;
};

struct PlanModel {
  std::size_t shelf_life = 0;
  std::size_t capacity = 0;
  OneOrWeek<std::size_t> max_order;
  std::size_t days = 0;
  std::size_t states = 0;
  double gamma = 0.0;
  std::string loss;
  PlanCosts cost;
  bool fresh = false;
};

struct OrdersByTotal {
  std::size_t day;
  std::size_t total;
  ActionIndex least;
  ActionIndex most;
};

struct Recommendation {
  double value_at_empty = 0.0;
  double error_bound = infinity;
  Status status = Status::iteration_limit;
  std::vector<ActionIndex> order_at_empty = {};
  std::vector<OrdersByTotal> by_total = {};
};

/// One base-36 digit per state, or two if orders need them: a page may hold hundreds of thousands.
struct PackedOrders {
  std::size_t ages = 0;
  std::size_t capacity = 0;
  std::size_t days = 0;
  std::string digits;
};

struct DemandRow {
  std::size_t day;
  std::size_t units;
  double probability;
};

/// By day if deliveries differ by day, and by order unless they are plain shares.
struct ArrivalRow {
  std::optional<std::size_t> day;
  std::optional<std::size_t> order;
  std::size_t periods_left;
  double probability;
};

struct LevelRow {
  std::string parameter;
  double level;
  std::string loss;
  double value_at_empty;
  ActionIndex order_at_empty;
  bool is_chosen;
  inventory::Forecast forecast;
};

struct PolicyRow {
  std::string policy;
  double value_at_empty;
  std::optional<double> gap_percent;
  bool is_own;
  inventory::Forecast forecast;
};

struct CostRow {
  std::string policy;
  double probability;
  double discounted_cost;
};

struct SimulationSize {
  std::size_t periods = 0;
  std::size_t replications = 0;
};

struct MeanRow {
  std::optional<std::size_t> day;
  inventory::DemandOfDay recorded;
  double planned;
};

struct CountRow {
  std::size_t day;
  std::size_t units;
  std::size_t known;
  std::size_t at_least;
  double expected;
};

struct RecordedDemandReport {
  inventory::DemandLaw law = inventory::DemandLaw::poisson;
  std::size_t holidays = 0;
  std::vector<MeanRow> means;
  std::vector<CountRow> counts;
  std::optional<double> goodness_of_fit;
  std::vector<std::string> warnings;
};

struct BacktestRow {
  inventory::BacktestPolicy policy;
};

struct RecordsBacktest {
  inventory::Backtest result;
  std::vector<std::string> warnings;
};

struct RecordsReport {
  std::optional<RecordedDemandReport> fit;
  std::string not_fitted;
  inventory::RuleInUse in_use;
  RecordsBacktest backtest;
};

struct PlanReport {
  PlanHeader header;
  std::string version;
  std::uint64_t seed = 0;
  PlanModel model;
  Recommendation recommendation;
  PackedOrders orders;
  std::vector<DemandRow> demand;
  std::vector<ArrivalRow> arrival;
  std::vector<LevelRow> levels;
  SimulationSize simulation;
  std::vector<PolicyRow> policies;
  std::vector<CostRow> costs;
  std::optional<RecordsReport> records;
};

PlanReport plan_report(const PlanDocument& document);

/// The orders of a policy in digits, as in PackedOrders.
std::string digits_of(const inventory::Model& model, const Policy& orders);

}  // namespace shortfall::report
