#pragma once

#include "errors/require.hpp"
#include "inventory/train/stock_sampler.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"

namespace shortfall::inventory::detail {

/// Orders by state, as a function of a sampled stock.
template <std::size_t Ages>
struct OrderTable {
  const StockSampler<Ages>* sampler;
  Policy orders;

  ActionIndex operator()(const SampledStock<Ages>& x) const { return orders[sampler->index(x)]; }
};

/// The evaluation that `options` describe. Throws InvalidInput for an
/// unsupported algorithm.
inline learn::EvaluationOptions evaluation_options(const Criterion& criterion,
                                                   const TrainingOptions& options,
                                                   const StockFeatures& features) {
  using Evaluation = learn::EvaluationOptions;
  const EvaluationMethod& method = options.evaluation;
  require(options.algorithm != learn::Algorithm::td_lambda,
          "training with TD(lambda); accepted: td, newton, averager-td, averager-newton");
  Evaluation evaluation{
      .learner = {.algorithm = options.algorithm,
                  .loss = criterion.loss,
                  .gamma = criterion.gamma,
                  .newton = {.warmup = options.warmup,
                             .variant = is_averager(options.algorithm)
                                            ? learn::NewtonVariant::renewed
                                            : learn::NewtonVariant::as_published}},
      .samples = options.samples,
      .trajectories = options.trajectories,
      .seed = options.seed};
  if (method.step) evaluation.learner.step = *method.step;
  if (method.step) evaluation.steps = Evaluation::Steps::given;
  if (method.paths != SamplePaths::restarted) evaluation.restart = 0.0;
  if (method.paths == SamplePaths::divided) evaluation.paths = Evaluation::Paths::divided;
  if (method.singular == SingularTrajectories::discarded) {
    evaluation.singular = Evaluation::Singular::discarded;
  }
  if (is_averager(options.algorithm) || method.normalisation == StockNormalisation::none) {
    evaluation.features = learn::FeatureChange::none;
  } else if (method.normalisation != StockNormalisation::orthonormal) {
    evaluation.features = learn::FeatureChange::normalised;
    evaluation.normalisation = features.normalisation(method.normalisation);
  }
  return evaluation;
}

/// The weights with which the first evaluation begins.
inline std::vector<double> first_weights(const TrainingOptions& options,
                                         const StockFeatures& features) {
  const bool is_zero = options.evaluation.first_weights == FirstWeights::zero;
  return is_zero ? std::vector<double>(features.dimension(), 0.0) : features.initial_guess();
}

}  // namespace shortfall::inventory::detail
