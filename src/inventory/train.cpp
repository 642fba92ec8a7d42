#include "shortfall/inventory/train.hpp"

#include <utility>

#include "inventory/order_improvement.hpp"
#include "inventory/order_table.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/learn/policy_iteration.hpp"

namespace shortfall::inventory {
namespace {

using detail::DeliveryStart;
using detail::OrderImprovement;
using detail::OrderTable;
using detail::SampledStock;
using detail::SampledStockFeatures;
using detail::StockSampler;

/// What an evaluation would refuse, before any work.
void check(const TrainingOptions& options, const Criterion& criterion, std::size_t dimension) {
  if (options.algorithm == learn::Algorithm::td_lambda) {
    throw InvalidInput("training with TD(lambda); accepted: td, newton");
  }
  const learn::EvaluationOptions evaluation = detail::evaluation_options(criterion, options);
  learn::detail::check(evaluation, dimension, dimension);
  (void)learn::AnyLearner(dimension, evaluation.learner);
}

}  // namespace

/// An iteration from weights and orders to the next, without what they are worth.
class Training::Engine {
 public:
  virtual ~Engine() = default;
  virtual learn::Evaluation iterate(TrainingState& state) = 0;
  virtual double estimate_at_empty(std::span<const double> theta) const = 0;
};

template <std::size_t Ages>
class Training::EngineOf final : public Training::Engine {
 public:
  EngineOf(const Training& training, StockFeatures features)
      : sampler_(training.model_),
        features_(std::move(features), training.model_.shelf_life()),
        iteration_(learn::DecisionProblem{sampler_, features_, DeliveryStart<Ages>(sampler_)},
                   OrderTable<Ages>{&sampler_, {}},
                   OrderImprovement<Ages>(sampler_, features_, training.criterion_,
                                          training.options_, training.progress_of("improving")),
                   detail::evaluation_options(training.criterion_, training.options_)) {}

  learn::Evaluation iterate(TrainingState& state) override {
    iteration_.resume(static_cast<int>(state.trace.size()) - 1, std::move(state.theta),
                      {&sampler_, std::move(state.orders)});
    learn::Evaluation evaluation = iteration_.iterate();
    state.theta = iteration_.theta();
    state.orders = iteration_.policy().orders;
    return evaluation;
  }

  double estimate_at_empty(std::span<const double> theta) const override {
    return learn::LinearValue(features_, theta)(SampledStock<Ages>{});
  }

 private:
  StockSampler<Ages> sampler_;
  SampledStockFeatures<Ages> features_;
  learn::PolicyIteration<StockSampler<Ages>, SampledStockFeatures<Ages>, DeliveryStart<Ages>,
                         OrderTable<Ages>, OrderImprovement<Ages>>
      iteration_;
};

Training::Training(const Model& model, const Criterion& criterion, TrainingOptions options,
                   TrainingState state)
    : model_(model), criterion_(criterion), options_(std::move(options)), state_(std::move(state)) {
  StockFeatures features(model, solve_non_perishable(model, criterion));
  check(options_, criterion, features.dimension());
  if (state_.trace.empty()) {
    state_.theta = features.first_guess();
    state_.orders = myopic_policy(model, criterion, options_.threads);
    value_exactly({});
  }
  check_state(features.dimension());
  detail::with_ages(model.shelf_life(), [&]<std::size_t Ages>() {
    engine_ = std::make_unique<EngineOf<Ages>>(*this, std::move(features));
  });
}

Training::~Training() = default;

void Training::check_state(std::size_t dimension) const {
  const std::size_t states = model_.states();
  const bool fits = state_.orders.size() == states && state_.best_orders.size() == states &&
                    state_.values.size() == states && state_.theta.size() == dimension &&
                    state_.best < state_.trace.size();
  if (!fits) throw InvalidInput("the state of a training of another model");
  model_.check_orders(state_.orders);
  model_.check_orders(state_.best_orders);
}

const TrainingRecord& Training::iterate() {
  if (options_.on_progress) options_.on_progress("evaluating", 0.0);
  const learn::Evaluation evaluation = engine_->iterate(state_);
  const TrainingRecord record{.iteration = static_cast<int>(state_.trace.size()),
                              .estimated_at_empty = engine_->estimate_at_empty(state_.theta),
                              .change = evaluation.change,
                              .used = evaluation.used,
                              .singular = evaluation.singular,
                              .diverged = evaluation.diverged};
  value_exactly(record);
  return state_.trace.back();
}

void Training::value_exactly(TrainingRecord record) {
  const SolverOptions options{.tolerance = options_.tolerance,
                              .threads = options_.threads,
                              .start = state_.values,
                              .on_progress = progress_of("valuing exactly")};
  Solution solution = evaluate(model_, criterion_, state_.orders, options);
  record.status = solution.status;
  record.value_at_empty = solution.values.front();
  record.error_bound = solution.error_bound;
  state_.trace.push_back(record);
  const bool usable = solution.status != Status::overflow;
  if (usable) state_.values = std::move(solution.values);
  if (state_.trace.size() == 1 || (usable && record.value_at_empty < best().value_at_empty)) {
    state_.best = state_.trace.size() - 1;
    state_.best_orders = state_.orders;
  }
}

std::function<void(double)> Training::progress_of(std::string_view what) const {
  if (!options_.on_progress) return {};
  return [this, what](double fraction) { options_.on_progress(what, fraction); };
}

}  // namespace shortfall::inventory
