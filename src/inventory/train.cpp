#include "shortfall/inventory/train.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "inventory/cumulative_stock.hpp"
#include "inventory/greedy_orders.hpp"
#include "inventory/stock_sampler.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/learn/policy_iteration.hpp"
#include "worker_threads.hpp"

namespace shortfall::inventory {
namespace {

using detail::DeliveryStart;
using detail::SampledStock;
using detail::SampledStockFeatures;
using detail::StockSampler;

void check(const TrainingOptions& options) {
  if (options.algorithm == learn::Algorithm::td_lambda) {
    throw InvalidInput("training with TD(lambda); accepted: td, newton");
  }
}

/// Orders by state, as a function of a sampled stock.
template <std::size_t Ages>
struct OrderTable {
  const StockSampler<Ages>* sampler;
  Policy orders;

  ActionIndex operator()(const SampledStock<Ages>& x) const { return orders[sampler->index(x)]; }
};

learn::EvaluationOptions evaluation_options(const Criterion& criterion,
                                            const TrainingOptions& options) {
  return {.learner = {.algorithm = options.algorithm,
                      .loss = criterion.loss,
                      .gamma = criterion.gamma,
                      .newton = {.warmup = options.warmup}},
          .samples = options.samples,
          .trajectories = options.trajectories,
          .seed = options.seed,
          .threads = options.threads};
}

}  // namespace

/// An iteration from weights and orders to the next, without what they are worth.
class Training::Engine {
 public:
  virtual ~Engine() = default;
  virtual learn::Evaluation iterate(TrainingState& state) = 0;
  virtual double estimate_at_empty(std::span<const double> theta) const = 0;
};

/// Improvement of approximate values: from θ to orders for every state.
template <std::size_t Ages>
class Improvement {
 public:
  using State = SampledStock<Ages>;

  Improvement(const StockSampler<Ages>& sampler, const SampledStockFeatures<Ages>& features,
              const Criterion& criterion, const TrainingOptions& options,
              std::function<void(double)> on_progress)
      : sampler_(sampler),
        features_(features),
        criterion_(criterion),
        options_(options),
        on_progress_(std::move(on_progress)) {}

  OrderTable<Ages> operator()(const std::vector<double>& theta, int iteration) const {
    tbb::task_arena arena(shortfall::detail::worker_threads(options_.threads));
    std::vector<double> values(sampler_.model().states());
    arena.execute([&] { tabulate(theta, values); });
    if (options_.scenarios > 0) {
      Policy orders(values.size());
      const learn::Scenarios scenarios(
          options_.scenarios, seed_of(~options_.seed, static_cast<std::uint64_t>(iteration)));
      arena.execute([&] { choose_by_scenarios(values, scenarios, orders); });
      return {&sampler_, std::move(orders)};
    }
    const SolverOptions options{.threads = options_.threads, .on_progress = on_progress_};
    StockBellman bellman(sampler_.model(), criterion_, options);
    return {&sampler_, greedy_orders(bellman, values)};
  }

 private:
  /// visitor(state index, stock) for all states, in parallel, with a visitor for each stretch.
  template <class MakeVisitor>
  void for_each_state(const MakeVisitor& make_visitor) const {
    const StockIndex& stocks = sampler_.model().stocks();
    const auto run = [&](const tbb::blocked_range<std::size_t>& range) {
      auto visitor = make_visitor();
      State x;
      CumulativeStock stock(stocks, range.begin() % stocks.size());
      for (std::size_t s = range.begin(); s < range.end(); ++s) {
        if (s % stocks.size() == 0) stock = CumulativeStock(stocks, 0);
        x.day = static_cast<std::uint32_t>(s / stocks.size());
        x.up_to.fill(static_cast<std::int32_t>(stock.total()));
        for (std::size_t i = 0; i < stocks.length(); ++i) {
          x.up_to[i] = static_cast<std::int32_t>(stock[i + 1]);
        }
        visitor(s, x);
        if (s + 1 < range.end() && (s + 1) % stocks.size() != 0) stock.advance();
      }
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sampler_.model().states(), 256), run);
  }

  /// φᵀθ by state.
  void tabulate(const std::vector<double>& theta, std::vector<double>& values) const {
    for_each_state([&] {
      return [&, value = learn::LinearValue(features_, theta)](std::size_t s, const State& x) {
        values[s] = value(x);
      };
    });
  }

  void choose_by_scenarios(const std::vector<double>& values, const learn::Scenarios& scenarios,
                           Policy& orders) const {
    const auto value = [&](const State& x) { return values[sampler_.index(x)]; };
    for_each_state([&] {
      return [&, memory = learn::SampledRisk(criterion_.loss, scenarios.size())](
                 std::size_t s, const State& x) mutable {
        orders[s] =
            learn::greedy_action(sampler_, value, criterion_.gamma, x, scenarios, memory);
      };
    });
  }

  const StockSampler<Ages>& sampler_;
  const SampledStockFeatures<Ages>& features_;
  const Criterion& criterion_;
  const TrainingOptions& options_;
  std::function<void(double)> on_progress_;
};

template <std::size_t Ages>
class Training::EngineOf final : public Training::Engine {
 public:
  EngineOf(const Training& training, StockFeatures features)
      : sampler_(training.model_),
        features_(std::move(features), training.model_.shelf_life()),
        iteration_(learn::DecisionProblem{sampler_, features_, DeliveryStart<Ages>(sampler_)},
                   OrderTable<Ages>{&sampler_, {}},
                   Improvement<Ages>(sampler_, features_, training.criterion_, training.options_,
                                     training.progress_of("improving")),
                   evaluation_options(training.criterion_, training.options_)) {}

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
                         OrderTable<Ages>, Improvement<Ages>>
      iteration_;
};

Training::Training(const Model& model, const Criterion& criterion, TrainingOptions options,
                   TrainingState state)
    : model_(model),
      criterion_(criterion),
      options_(std::move(options)),
      state_(std::move(state)) {
  check(options_);
  StockFeatures features(model, solve_non_perishable(model, criterion));
  if (state_.trace.empty()) {
    state_.theta = features.first_guess();
    state_.orders = myopic_policy(model, criterion, options_.threads);
    value_exactly({});
  }
  check_state();
  if (model.shelf_life() <= 5) {
    engine_ = std::make_unique<EngineOf<4>>(*this, std::move(features));
  } else if (model.shelf_life() <= 9) {
    engine_ = std::make_unique<EngineOf<8>>(*this, std::move(features));
  } else {
    engine_ = std::make_unique<EngineOf<12>>(*this, std::move(features));
  }
}

Training::~Training() = default;

void Training::check_state() const {
  const std::size_t states = model_.states();
  const bool fits = state_.orders.size() == states && state_.best_orders.size() == states &&
                    state_.values.size() == states && state_.best < state_.trace.size();
  if (!fits) throw InvalidInput("the state of a training of another model");
  model_.check_orders(state_.orders);
  model_.check_orders(state_.best_orders);
}

const TrainingRecord& Training::iterate() {
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
