#include "report/inventory_results.hpp"

#include <utility>

#include "report/plan_fields.hpp"
#include "shortfall/formats/warning_words.hpp"

namespace shortfall::report {

FitReport fit_report(inventory::Fit fit, const io::FittedPlan& plan) {
  return {.fit = std::move(fit),
          .capacity = plan.configuration.model.capacity(),
          .max_order = plan.configuration.model.max_order(),
          .warnings = plan.warnings};
}

BacktestReport backtest_report(inventory::Backtest backtest, io::OptionStyle style) {
  std::vector<std::string> warnings = io::in_words(backtest.warnings, style);
  return {std::move(backtest), std::move(warnings)};
}

template Json document_of(const io::InventoryConfiguration&);
template Json document_of(const Solution&);
template Json document_of(const FitReport&);
template Json document_of(const OrderReport&);
template Json document_of(const BacktestReport&);
template Json document_of(const inventory::BacktestPolicy&);
template Json document_of(const inventory::SimulationResult&);
template Json document_of(const inventory::TrainingState&);
template Json document_of(const inventory::TrainingRecord&);

Json result_descriptions() {
  return Json::array({description_of<io::InventoryConfiguration>(),
                      description_of<Solution>(),
                      description_of<FitReport>(),
                      description_of<FittedDemand>(),
                      description_of<inventory::DemandCandidate>(),
                      description_of<inventory::GoodnessOfFit>(),
                      description_of<inventory::Trend>(),
                      description_of<inventory::LevelShift>(),
                      description_of<inventory::ArrivalFit>(),
                      description_of<OrderReport>(),
                      description_of<inventory::OrderChoice>(),
                      description_of<RuleChoice>(),
                      description_of<BacktestReport>(),
                      description_of<inventory::BacktestPolicy>(),
                      description_of<inventory::BacktestDay>(),
                      description_of<inventory::SimulationResult>(),
                      description_of<inventory::TrainingState>(),
                      description_of<inventory::TrainingRecord>(),
                      description_of<PlanReport>(),
                      description_of<PlanModel>(),
                      description_of<PlanCosts>(),
                      description_of<Recommendation>(),
                      description_of<OrdersByTotal>(),
                      description_of<PackedOrders>(),
                      description_of<DemandRow>(),
                      description_of<ArrivalRow>(),
                      description_of<LevelRow>(),
                      description_of<SimulationSize>(),
                      description_of<PolicyRow>(),
                      description_of<CostRow>(),
                      description_of<RecordsReport>(),
                      description_of<RecordedDemandReport>(),
                      description_of<MeanRow>(),
                      description_of<CountRow>(),
                      description_of<inventory::RuleInUse>(),
                      description_of<RecordsBacktest>(),
                      description_of<BacktestRow>()});
}

}  // namespace shortfall::report
