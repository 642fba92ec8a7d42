#include "apps/shortfall/training_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/output.hpp"
#include "formats/inventory_identity.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::app {

namespace {

/// In the words that checkpoints have always had.
io::RecordedOptions recorded(const TrainingRunOptions& options) {
  const inventory::TrainingOptions training = options.training();
  io::RecordedOptions list = inventory::recorded_options(training);
  for (auto& [name, value] : list) {
    if (name == "improvement") value = fmt::format("{} scenarios", training.scenarios);
    if (name == "warmup" && value == "none") value = "0";
    name.insert(0, "--");
  }
  return list;
}

}  // namespace

inventory::TrainingOptions TrainingRunOptions::training() const {
  inventory::TrainingOptions options = learning;
  options.scenarios = inventory::parse_improvement(improvement).value();
  if (!features.empty()) options.features = inventory::parse_feature_set(features).value();
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.seed = seed;
  return options;
}

inventory::FeatureSet TrainingRunOptions::stock_features() const {
  return inventory::features_for(learning.algorithm, training().features);
}

TrainingRun::TrainingRun(const TrainingRunOptions& options, const InventoryPoint& point,
                         InventorySolver& solver)
    : options_(options), point_(point), run_(options.checkpoint, training_checkpoint_kind) {
  std::optional<inventory::TrainingState> state = load();
  const bool is_new = !state;
  if (is_new) {
    const Solution solution = solver.solve(point.configuration, "optimal");
    solver.watch().check();
    optimum_ = {solution.values.front(), solution.error_bound, solution.status};
    state.emplace();
  }
  begin(solver.watch(), std::move(*state));
  solver.watch().check();
  if (is_new) save();
}

void TrainingRun::begin(CommandMonitor& watch, inventory::TrainingState state) {
  inventory::TrainingOptions options = options_.training();
  try {
    training_.emplace(point_.configuration.model, point_.configuration.criterion,
                      std::move(options), std::move(state),
                      Execution{.threads = options_.threads, .monitor = watch.monitor()});
  } catch (const InvalidField& error) {  // the samples that it needs depend on the features
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", options_.config, error.what()));
  }
}

/// The checkpoint, or nothing if there is none.
std::optional<inventory::TrainingState> TrainingRun::load() {
  inventory::TrainingState state;
  const bool is_resumed = run_.load([&](io::StateReader& saved) {
    std::string before;
    saved(before);
    if (before != io::identity(point_.configuration)) {
      throw InvalidInput(
          fmt::format("{}: the checkpoint does not belong to this inventory; accepted: a "
                      "checkpoint of the same inventory, or another file",
                      run_.path()));
    }
    try {
      run_.check_recorded(recorded(options_), saved);
    } catch (const io::ChangedOption& changed) {
      throw InvalidInput(changed.message([](const std::string& option) { return "--" + option; }));
    }
    optimum_.archive(saved);
    state.archive(saved);
  });
  return is_resumed ? std::optional(std::move(state)) : std::nullopt;
}

void TrainingRun::save() {
  if (!run_.has_checkpoint()) return;
  const auto write = [&](io::StateWriter& saved) {
    saved(io::identity(point_.configuration));
    archive(saved, recorded(options_));
    optimum_.archive(saved);
    inventory::TrainingState state = training_->state();
    state.archive(saved);
  };
  run_.save(write, [&] { print_save_failure(run_.save_error(), "training"); });
}

void TrainingRun::train(const std::function<void(const inventory::TrainingRecord&)>& on_iteration) {
  while (state().trace.size() <= options_.iterations && training_->iterate()) {
    save();
    on_iteration(state().trace.back());
  }
}

Gap TrainingRun::gap(const inventory::TrainingRecord& record) const {
  return gap_of({record.value_at_empty, record.error_bound},
                {optimum_.value, optimum_.error_bound});
}

Status TrainingRun::status() const {
  if (state().trace.size() <= options_.iterations) return Status::stopped;
  return is_success(optimum_.status) ? best().status : optimum_.status;
}

namespace {

/// A cost of any size. What is estimated has no certain digits.
std::string cost_text(double cost) {
  const double size = std::abs(cost);
  return size == 0.0 || (size >= 1e-2 && size < 1e9) ? fmt::format("{:.5f}", cost)
                                                     : fmt::format("{:.8g}", cost);
}

/// For costs of any size with this error bound.
CertainDigits digits_of(double error_bound, double cost) {
  const double size = std::abs(cost);
  const bool is_usual = size == 0.0 || (size >= 1e-2 && size < 1e9);
  return CertainDigits(error_bound, {.decimals = is_usual ? 5 : -1});
}

std::string cost_text(const inventory::TrainingRecord& record) {
  return digits_of(record.error_bound, record.value_at_empty).value(record.value_at_empty);
}

/// With the uncertainty from the error bounds, if it affects the digits shown.
std::string gap_text(const Gap& gap) {
  if (gap.error_percent < 5e-5) return fmt::format("{:.4f}", gap.percent);
  CertainDigits digits(gap.error_percent, {.decimals = 4});
  const std::string percent = digits.value(gap.percent);
  return fmt::format("{} ± {}", percent, digits.bound());
}

/// The improvement, and the features unless they are those of the algorithm.
std::string choices_text(const TrainingRunOptions& options) {
  const inventory::FeatureSet features = options.stock_features();
  const bool is_default = features == inventory::default_features(options.learning.algorithm);
  return options.improvement + (is_default ? "" : ",\nfeatures " + to_string(features));
}

void add_gap(nlohmann::json& document, const Gap& gap) {
  document["gap_percent"] = gap.percent;
  document["gap_error_percent"] = gap.error_percent;
}

nlohmann::json trace_as_json(const Trained& trained) {
  nlohmann::json trace = nlohmann::json::array();
  for (std::size_t k = 1; k < trained.state.trace.size(); ++k) {
    nlohmann::json entry = report::document_of(trained.state.trace[k]);
    add_gap(entry, trained.gap[k]);
    trace.push_back(std::move(entry));
  }
  return trace;
}

/// Singular and diverged trajectories are shown only if there are any.
std::string trace_table(const Trained& trained) {
  const bool is_any_left_out = std::ranges::any_of(trained.state.trace, [](const auto& record) {
    return record.singular + record.diverged > 0;
  });
  TextTable table;
  std::vector<std::string> header{"iteration",       "weights change", "estimate",
                                  "cost from empty", "gap %",          ""};
  if (is_any_left_out) header.insert(header.begin() + 3, {"singular", "diverged"});
  table.add(header);
  for (std::size_t k = 0; k < trained.state.trace.size(); ++k) {
    const inventory::TrainingRecord& record = trained.state.trace[k];
    const auto number = [&](double value) { return k > 0 ? cost_text(value) : ""; };
    std::vector<std::string> row{k > 0 ? fmt::format("{}", k) : "myopic",
                                 number(record.change),
                                 number(record.estimated_at_empty),
                                 cost_text(record),
                                 gap_text(trained.gap[k]),
                                 k == trained.state.best ? "best" : ""};
    if (is_any_left_out) {
      const auto count = [k](std::size_t of) { return k > 0 ? fmt::format("{}", of) : ""; };
      row.insert(row.begin() + 3, {count(record.singular), count(record.diverged)});
    }
    table.add(row);
  }
  return table.text();
}

/// As it was done: averagers take features as they are.
inventory::EvaluationMethod method_of(const TrainingRunOptions& options) {
  inventory::EvaluationMethod method = options.learning.evaluation;
  if (is_averager(options.learning.algorithm)) {
    method.normalisation = inventory::StockNormalisation::none;
  }
  return method;
}

nlohmann::json evaluation_as_json(const inventory::EvaluationMethod& method) {
  nlohmann::json chosen;
  for (auto [name, value] : inventory::described(method)) {
    std::ranges::replace(name, '-', '_');
    chosen[name == "evaluation" ? "kind" : name] = value;
  }
  return chosen;
}

/// Two lines, or none for our own evaluation.
std::string evaluation_text(const TrainingRunOptions& options) {
  const inventory::EvaluationMethod method = method_of(options);
  if (method.kind == inventory::EvaluationKind::restarted) return "";
  std::string text = "Evaluated as published:";
  for (const auto& [name, value] : inventory::described(method)) {
    const bool has_steps = !is_newton(options.learning.algorithm);
    if (name == "evaluation" || (name == "step" && !has_steps)) continue;
    text += fmt::format("{}{} {},", name == "start" ? "\n" : " ", name, value);
  }
  text.back() = '.';
  return text + "\n";
}

}  // namespace

bool Trained::is_estimate_far() const {
  constexpr double far = 0.2;
  if (state.trace.size() < 2) return false;
  const double exact = state.trace[state.trace.size() - 2].value_at_empty;
  return !(std::abs(state.trace.back().estimated_at_empty - exact) <= far * std::abs(exact));
}

nlohmann::json training_json(const TrainingRunOptions& options, const InventoryPoint& point,
                             const Trained& trained) {
  nlohmann::json document = as_json(point);
  add_result(document, trained.state);
  add_gap(document, trained.best_gap());
  document["algorithm"] = to_string(options.learning.algorithm);
  document["evaluation"] = evaluation_as_json(method_of(options));
  document["features"] = to_string(options.stock_features());
  document["improvement"] = options.improvement;
  document["samples"] = options.learning.samples;
  document["trajectories"] = options.learning.trajectories;
  document["seed"] = options.seed;
  document["optimal_at_empty"] = trained.optimal_at_empty;
  document["optimal_error_bound"] = trained.optimal_error_bound;
  document["last_gap_percent"] = trained.gap.back().percent;
  const inventory::TrainingRecord& start = trained.state.trace.front();
  document["start"] = {{"value_at_empty", start.value_at_empty},
                       {"error_bound", start.error_bound}};
  add_gap(document["start"], trained.gap.front());
  document["status"] = trained.state.has_learned() ? to_string(trained.status) : "nothing-learned";
  document["trace"] = trace_as_json(trained);
  document["seconds"] = trained.seconds;
  return document;
}

std::string training_text(const TrainingRunOptions& options, const InventoryPoint& point,
                          const Trained& trained) {
  const inventory::TrainingRecord& best = trained.best();
  std::string text = heading(options, point);
  text += fmt::format(
      "\nOrders learned with {}, {} samples per iteration, improvement {}. Each estimate is\n"
      "for the orders of the row above, where their exact cost is shown:\n\n{}\n{}",
      to_string(options.learning.algorithm), options.learning.samples, choices_text(options),
      trace_table(trained), evaluation_text(options));
  CertainDigits digits =
      digits_of(std::max(best.error_bound, trained.optimal_error_bound), best.value_at_empty);
  const std::string learned = digits.value(best.value_at_empty);
  const std::string optimum = digits.value(trained.optimal_at_empty);
  text += fmt::format(
      "Kept: the orders of {}. With nothing in stock they order {} and cost {},\n"
      "{} % above the optimum of {}; both values within {} of exact. {:.3g} s\n",
      best.iteration > 0 ? fmt::format("iteration {}", best.iteration) : "the myopic start",
      trained.state.best_orders.front(), learned, gap_text(trained.best_gap()), optimum,
      digits.bound(), trained.seconds);
  if (trained.is_estimate_far()) {
    text +=
        "The last estimate was far from the exact cost: more --samples, or the other --algorithm,\n"
        "may do better.\n";
  }
  return text;
}

std::string training_sweep_text(const TrainingRunOptions& options,
                                const std::vector<InventoryPoint>& points,
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
    row.push_back(digits_of(trained[i].optimal_error_bound, trained[i].optimal_at_empty)
                      .value(trained[i].optimal_at_empty));
    row.push_back(cost_text(trained[i].best()));
    row.push_back(gap_text(trained[i].best_gap()));
    row.push_back(gap_text(trained[i].gap.back()));
    row.push_back(gap_text(trained[i].gap.front()));
    row.push_back(fmt::format("{}", trained[i].best().iteration));
    row.push_back(fmt::format("{:.2f}", trained[i].seconds));
    table.add(row);
  }
  return heading(options, points.front()) +
         fmt::format("\nOrders learned with {}, {} iterations of {} samples, improvement {}:\n\n",
                     to_string(options.learning.algorithm), options.iterations,
                     options.learning.samples, choices_text(options)) +
         table.text();
}

}  // namespace shortfall::app
