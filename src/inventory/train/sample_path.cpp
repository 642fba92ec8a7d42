#include "shortfall/inventory/train/sample_path.hpp"

#include "errors/require.hpp"
#include "inventory/train/order_table.hpp"
#include "parallel/watch.hpp"
#include "shortfall/learn/policy_iteration.hpp"

namespace shortfall::inventory {

SampledPath sample_path(const Model& model, const Policy& orders, const PathOptions& options,
                        const Execution& execution) {
  model.check_orders(orders);
  require(options.periods <= max_path, "{} periods; accepted: at most {}", options.periods,
          max_path);
  require(options.restart >= 0.0 && options.restart < 1.0,
          "restart probability = {}; accepted: a number in [0, 1)", options.restart);
  SampledPath path;
  path.state.reserve(options.periods);
  path.cost.reserve(options.periods);
  path.next.reserve(options.periods);
  shortfall::detail::Watch watch(execution.monitor,
                                 {.activity = "simulating", .total = options.periods});
  detail::with_ages(model.shelf_life(), [&]<std::size_t Ages>() {
    constexpr std::size_t check_every = 1 << 16;
    const detail::StockSampler<Ages> sampler(model);
    const detail::OrderTable<Ages> policy{&sampler, orders};
    const learn::PolicyChain chain(sampler, policy);
    pcg64 bits = stream_generator(options.seed, 0);
    learn::Trajectory trajectory(chain, detail::DeliveryStart<Ages>(sampler), bits,
                                 options.restart);
    for (std::size_t n = 0; n < options.periods; ++n) {
      if (n % check_every == 0) {
        if (n > 0) watch.add_steps(check_every);
        watch.poll();
        if (watch.is_stopped()) return;
      }
      const auto transition = trajectory.step(bits);
      path.state.push_back(static_cast<StateIndex>(sampler.index(transition.x)));
      path.cost.push_back(transition.cost);
      path.next.push_back(static_cast<StateIndex>(sampler.index(transition.next)));
    }
  });
  return path;
}

}  // namespace shortfall::inventory
