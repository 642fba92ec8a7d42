#include "inventory/order_table.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/train.hpp"
#include "shortfall/learn/policy_iteration.hpp"

namespace shortfall::inventory {

Estimate estimate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const TrainingOptions& options) {
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
        detail::evaluation_options(criterion, options, features));
    result.value_at_empty =
        learn::LinearValue(map, result.evaluation.theta)(detail::SampledStock<Ages>{});
    return result;
  });
}

}  // namespace shortfall::inventory
