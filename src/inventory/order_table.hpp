#pragma once

#include "inventory/stock_sampler.hpp"
#include "require.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/train.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"

namespace shortfall::inventory::detail {

/// Orders by state, as a function of a sampled stock.
template <std::size_t Ages>
struct OrderTable {
  const StockSampler<Ages>* sampler;
  Policy orders;

  ActionIndex operator()(const SampledStock<Ages>& x) const { return orders[sampler->index(x)]; }
};

/// The evaluation that `options` describe, with their monitor. Throws InvalidInput for an
/// unsupported algorithm.
inline learn::EvaluationOptions evaluation_options(const Criterion& criterion,
                                                   const TrainingOptions& options) {
  require(options.algorithm != learn::Algorithm::td_lambda,
          "training with TD(lambda); accepted: td, newton, averager-td, averager-newton");
  return {.learner = {.algorithm = options.algorithm,
                      .loss = criterion.loss,
                      .gamma = criterion.gamma,
                      .newton = {.warmup = options.warmup,
                                 .variant = is_averager(options.algorithm)
                                                ? learn::NewtonVariant::renewed
                                                : learn::NewtonVariant::as_published}},
          .samples = options.samples,
          .trajectories = options.trajectories,
          .seed = options.seed,
          .threads = options.threads,
          .monitor = options.monitor};
}

}  // namespace shortfall::inventory::detail
