#include "training_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory_report.hpp"
#include "text_table.hpp"

namespace shortfall::app {
namespace {

nlohmann::json trace_as_json(const Trained& trained) {
  nlohmann::json trace = nlohmann::json::array();
  for (std::size_t k = 0; k < trained.state.trace.size(); ++k) {
    const inventory::TrainingRecord& record = trained.state.trace[k];
    nlohmann::json entry = {{"iteration", record.iteration},
                            {"value_at_empty", record.value_at_empty},
                            {"error_bound", record.error_bound},
                            {"gap_percent", trained.gap_percent[k]}};
    if (k > 0) {
      entry["estimated_at_empty"] = record.estimated_at_empty;
      entry["weights_change"] = record.change;
      entry["used"] = record.used;
      entry["singular"] = record.singular;
      entry["diverged"] = record.diverged;
    }
    trace.push_back(std::move(entry));
  }
  return trace;
}

std::string trace_table(const Trained& trained) {
  TextTable table;
  table.add({"iteration", "weights change", "estimate before", "cost from empty", "gap %", ""});
  for (std::size_t k = 0; k < trained.state.trace.size(); ++k) {
    const inventory::TrainingRecord& record = trained.state.trace[k];
    const auto number = [&](double value) { return k > 0 ? fmt::format("{:.4f}", value) : ""; };
    table.add({k > 0 ? fmt::format("{}", k) : "myopic", number(record.change),
               number(record.estimated_at_empty), fmt::format("{:.5f}", record.value_at_empty),
               fmt::format("{:.4f}", trained.gap_percent[k]),
               k == trained.state.best ? "best" : ""});
  }
  return table.text();
}

}  // namespace

bool Trained::has_learned() const {
  return std::ranges::any_of(state.trace, [](const auto& record) { return record.used > 0; });
}

nlohmann::json json_of(const InventoryTrainOptions& options, const InventoryPoint& point,
                       const Trained& trained) {
  nlohmann::json document = as_json(point);
  const inventory::TrainingRecord& best = trained.best();
  document["algorithm"] = options.algorithm;
  document["improvement"] = options.improvement;
  document["samples"] = options.samples;
  document["value_at_empty"] = best.value_at_empty;
  document["error_bound"] = best.error_bound;
  document["order_at_empty"] = trained.state.best_orders.front();
  document["best_iteration"] = best.iteration;
  document["optimal_at_empty"] = trained.optimal_at_empty;
  document["optimal_error_bound"] = trained.optimal_error_bound;
  document["gap_percent"] = trained.best_gap();
  document["last_gap_percent"] = trained.gap_percent.back();
  document["status"] = trained.has_learned() ? to_string(trained.status) : "nothing-learned";
  document["trace"] = trace_as_json(trained);
  document["seconds"] = trained.seconds;
  return document;
}

std::string text_of(const InventoryTrainOptions& options, const InventoryPoint& point,
                    const Trained& trained) {
  const inventory::TrainingRecord& best = trained.best();
  return heading(options, point) +
         fmt::format(
             "\nOrders learned with {}, {} samples an iteration, improvement {}:\n\n{}\n"
             "Kept: the orders of {}. With nothing in stock they order {}, and cost {:.5f},\n"
             "{:.4f} % above the optimum of {:.5f}; both values within {:.2g} of exact. {:.3g} s\n",
             options.algorithm, options.samples, options.improvement, trace_table(trained),
             best.iteration > 0 ? fmt::format("iteration {}", best.iteration) : "the beginning",
             trained.state.best_orders.front(), best.value_at_empty, trained.best_gap(),
             trained.optimal_at_empty, std::max(best.error_bound, trained.optimal_error_bound),
             trained.seconds);
}

std::string text_of(const InventoryTrainOptions& options, const std::vector<InventoryPoint>& points,
                    const std::vector<Trained>& trained) {
  TextTable table;
  std::vector<std::string> header;
  for (const auto& [key, value] : points.front().set) header.push_back(key);
  for (const char* name :
       {"optimum", "trained", "gap %", "last gap %", "myopic gap %", "best iteration", "s"}) {
    header.emplace_back(name);
  }
  table.add(header);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::string> row;
    for (const auto& [key, value] : points[i].set) row.push_back(value);
    row.push_back(fmt::format("{:.5f}", trained[i].optimal_at_empty));
    row.push_back(fmt::format("{:.5f}", trained[i].best().value_at_empty));
    row.push_back(fmt::format("{:.4f}", trained[i].best_gap()));
    row.push_back(fmt::format("{:.4f}", trained[i].gap_percent.back()));
    row.push_back(fmt::format("{:.4f}", trained[i].gap_percent.front()));
    row.push_back(fmt::format("{}", trained[i].best().iteration));
    row.push_back(fmt::format("{:.2f}", trained[i].seconds));
    table.add(row);
  }
  return heading(options, points.front()) +
         fmt::format("\nOrders learned with {}, {} iterations of {} samples, improvement {}:\n\n",
                     options.algorithm, options.iterations, options.samples, options.improvement) +
         table.text();
}

}  // namespace shortfall::app
