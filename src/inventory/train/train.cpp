#include "shortfall/inventory/train/train.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "errors/require.hpp"
#include "inventory/train/order_improvement.hpp"
#include "inventory/train/order_table.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/learn/policy_iteration.hpp"

namespace shortfall::inventory {
namespace {

using detail::OrderImprovement;
using detail::OrderTable;
using detail::SampledStock;
using detail::SampledStockFeatures;
using detail::StockSampler;
using detail::StockStart;

/// Checks made before any work, as an evaluation would make them.
void check(const TrainingOptions& options, const Criterion& criterion,
           const StockFeatures& features) {
  const std::size_t dimension = features.dimension();
  const learn::EvaluationOptions evaluation =
      detail::evaluation_options(criterion, options, features);
  learn::detail::check_options(evaluation, dimension, dimension);
  (void)learn::AnyLearner(dimension, evaluation.learner);
}

}  // namespace

/// One iteration from weights and orders to the next, without their exact values.
class Training::Engine {
 public:
  struct Round {
    learn::Evaluation evaluation;
    Policy orders;
  };
  virtual ~Engine() = default;
  virtual Round iterate(const TrainingState& state) = 0;
  virtual double estimate_at_empty(std::span<const double> theta) const = 0;
};

template <std::size_t Ages>
class Training::EngineOf final : public Training::Engine {
 public:
  EngineOf(const Training& training, const StockFeatures& features)
      : sampler_(training.model_),
        features_(features, training.model_.shelf_life()),
        first_weights_(detail::first_weights(training.options_, features)),
        next_weights_(training.options_.evaluation.next_weights),
        iteration_(
            learn::DecisionProblem{sampler_, features_,
                                   StockStart<Ages>(sampler_, training.options_.evaluation.start)},
            OrderTable<Ages>{&sampler_, {}},
            OrderImprovement<Ages>(sampler_, features_, training.criterion_, training.options_,
                                   training.execution_),
            detail::evaluation_options(training.criterion_, training.options_, features),
            training.execution_) {}

  Round iterate(const TrainingState& state) override {
    iteration_.resume(static_cast<int>(state.trace.size()) - 1,
                      next_weights_ == NextWeights::first ? first_weights_ : state.theta,
                      {&sampler_, state.orders});
    learn::Evaluation evaluation = iteration_.iterate();
    return {std::move(evaluation), iteration_.policy().orders};
  }

  double estimate_at_empty(std::span<const double> theta) const override {
    return learn::LinearValue(features_, theta)(SampledStock<Ages>{});
  }

 private:
  StockSampler<Ages> sampler_;
  SampledStockFeatures<Ages> features_;
  std::vector<double> first_weights_;
  NextWeights next_weights_;
  learn::PolicyIteration<StockSampler<Ages>, SampledStockFeatures<Ages>, StockStart<Ages>,
                         OrderTable<Ages>, OrderImprovement<Ages>>
      iteration_;
};

Training::Training(const Model& model, const Criterion& criterion, TrainingOptions options,
                   TrainingState state, Execution execution)
    : model_(model),
      criterion_(criterion),
      options_(std::move(options)),
      execution_(std::move(execution)),
      state_(std::move(state)) {
  if (execution_.monitor) {  // a request to stop one part of an iteration stops all of it
    execution_.monitor = [this, monitor = std::move(execution_.monitor)](const Progress& progress) {
      if (!is_stopped_ && monitor(progress) == Request::stop) is_stopped_ = true;
      return is_stopped_ ? Request::stop : Request::proceed;
    };
  }
  const StockFeatures features(model, solve_non_perishable(model, criterion),
                               features_for(options_.algorithm, options_.features));
  check(options_, criterion, features);
  if (state_.trace.empty()) state_.theta = detail::first_weights(options_, features);
  if (!state_.trace.empty() || begin()) check_state(features.dimension());
  detail::with_ages(model.shelf_life(), [&]<std::size_t Ages>() {
    engine_ = std::make_unique<EngineOf<Ages>>(*this, features);
  });
}

Training::~Training() = default;

void Training::check_state(std::size_t dimension) const {
  const std::size_t states = model_.states();
  const bool fits = state_.orders.size() == states && state_.best_orders.size() == states &&
                    state_.values.size() == states && state_.theta.size() == dimension &&
                    state_.best < state_.trace.size();
  if (!fits)
    throw InvalidInput("the training state belongs to another model; accepted: this one's");
  model_.check_orders(state_.orders);
  model_.check_orders(state_.best_orders);
}

/// Evaluates the myopic policy; false if stopped.
bool Training::begin() {
  Policy orders = myopic_policy(model_, criterion_, execution_);
  return !is_stopped_ && add({.change = 0.0}, std::move(orders));
}

bool Training::iterate() {
  is_stopped_ = false;
  if (state_.trace.empty() && !begin()) return false;
  auto [evaluation, orders] = engine_->iterate(state_);
  if (is_stopped_) return false;
  const bool added = add({.iteration = static_cast<int>(state_.trace.size()),
                          .estimated_at_empty = engine_->estimate_at_empty(evaluation.theta),
                          .change = evaluation.change,
                          .used = evaluation.used,
                          .singular = evaluation.singular,
                          .diverged = evaluation.diverged},
                         std::move(orders));
  if (added) state_.theta = std::move(evaluation.theta);
  return added;
}

/// Evaluates orders exactly and adds them to the trace; false if stopped.
bool Training::add(TrainingRecord record, Policy orders) {
  const SolverOptions options{.tolerance = options_.tolerance,
                              .max_iterations = options_.max_iterations,
                              .start = state_.values};
  Solution solution = evaluate(model_, criterion_, orders, options, execution_);
  if (solution.status == Status::stopped) return false;
  record.status = solution.status;
  record.value_at_empty = solution.values.front();
  record.error_bound = solution.error_bound;
  const bool is_first = state_.trace.empty();
  const bool usable = solution.status != Status::overflow;
  // Better by more than rounding and the solver's tolerance; if a loss has no slope bounds, nothing
  // is certified, and the values alone decide.
  const auto bound = [](const TrainingRecord& of) {
    return std::isfinite(of.error_bound) ? of.error_bound : 0.0;
  };
  const bool is_better =
      !is_first && usable &&
      record.value_at_empty + bound(record) < best().value_at_empty - bound(best());
  if (is_first || is_better) {
    state_.best = state_.trace.size();
    state_.best_orders = orders;
  }
  state_.trace.push_back(record);
  state_.orders = std::move(orders);
  if (usable) {
    state_.values = std::move(solution.values);
  } else if (is_first) {
    state_.values.assign(model_.states(), 0.0);  // the start of the next evaluation
  }
  return true;
}

Estimate estimate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const TrainingOptions& options, const Execution& execution) {
  model.check_orders(orders);
  const StockFeatures features(model, solve_non_perishable(model, criterion),
                               features_for(options.algorithm, options.features));
  return detail::with_ages(model.shelf_life(), [&]<std::size_t Ages>() {
    const detail::StockSampler<Ages> sampler(model);
    const detail::OrderTable<Ages> policy{&sampler, orders};
    const learn::PolicyChain chain(sampler, policy);
    const detail::SampledStockFeatures<Ages> map(features, model.shelf_life());
    Estimate result;
    result.evaluation = learn::evaluate_from_samples(
        learn::Simulation{chain, map, detail::StockStart<Ages>(sampler, options.evaluation.start)},
        detail::first_weights(options, features),
        detail::evaluation_options(criterion, options, features), execution);
    result.value_at_empty =
        learn::LinearValue(map, result.evaluation.theta)(detail::SampledStock<Ages>{});
    return result;
  });
}

std::optional<std::size_t> parse_improvement(std::string_view spec) {
  constexpr std::string_view sampled = "sampled:";
  if (spec == "exact") return 0;
  if (!spec.starts_with(sampled)) return std::nullopt;
  std::size_t count = 0;
  const char* const end = spec.data() + spec.size();
  const auto [rest, error] = std::from_chars(spec.data() + sampled.size(), end, count);
  const bool sound = error == std::errc() && rest == end && count >= 1 && count <= max_scenarios;
  return sound ? std::optional(count) : std::nullopt;
}

bool TrainingState::has_learned() const {
  return std::ranges::any_of(trace, [](const TrainingRecord& record) { return record.used > 0; });
}

std::vector<std::pair<std::string, std::string>> recorded_options(const TrainingOptions& options) {
  const bool is_td = !is_newton(options.algorithm);
  std::vector<std::pair<std::string, std::string>> recorded{
      {"algorithm", std::string(to_string(options.algorithm))},
      {"samples", fmt::format("{}", options.samples)},
      {"trajectories", fmt::format("{}", options.trajectories)},
      {"warmup", is_td ? "none" : fmt::format("{}", options.warmup)},
      {"improvement",
       options.scenarios == 0 ? "exact" : fmt::format("sampled:{}", options.scenarios)},
      {"features", to_string(features_for(options.algorithm, options.features))},
      {"tolerance", fmt::format("{}", options.tolerance.goal())},
      {"seed", fmt::format("{}", options.seed)}};
  std::ranges::move(described(options.evaluation), std::back_inserter(recorded));
  return recorded;
}

void check_status(Status status) {
  require(status >= Status::converged && status <= Status::small_change,
          "status = {}; accepted: {} to {}", static_cast<int>(status),
          static_cast<int>(Status::converged), static_cast<int>(Status::small_change));
}

void TrainingState::check_trace() const {
  for (const TrainingRecord& record : trace) check_status(record.status);
}

}  // namespace shortfall::inventory
