#include "shortfall/inventory/simulate/episode.hpp"

#include <fmt/format.h>

#include "errors/require.hpp"
#include "inventory/model/cumulative_stock.hpp"
#include "inventory/simulate/stock_dynamics.hpp"

namespace shortfall::inventory {

/// StockDynamics of any number of ages.
class Episode::Dynamics {
 public:
  virtual ~Dynamics() = default;
  virtual EpisodePeriod period(std::size_t state, std::size_t order, pcg64& bits) const = 0;
};

template <std::size_t Ages>
class Episode::DynamicsOf final : public Dynamics {
 public:
  explicit DynamicsOf(const Model& model) : model_(&model), dynamics_(model) {}

  EpisodePeriod period(std::size_t state, std::size_t order, pcg64& bits) const override {
    const StockIndex& stocks = model_->stocks();
    const std::size_t day = state / stocks.size();
    const CumulativeStock before(stocks, state % stocks.size());
    typename detail::StockDynamics<Ages>::Amounts stock;
    stock.fill(static_cast<std::int32_t>(before.total()));
    for (std::size_t i = 0; i < stocks.length(); ++i) {
      stock[i] = static_cast<std::int32_t>(before[i + 1]);
    }
    const auto now = dynamics_.period(day, static_cast<std::int32_t>(order), bits, stock);
    const std::size_t next_day = day + 1 == model_->days() ? 0 : day + 1;
    const Costs& price = model_->cost(day);
    return {.state = state,
            .next = next_day * stocks.size() + dynamics_.rank(stock),
            .order = order,
            .demand = static_cast<std::size_t>(now.demand),
            .left = static_cast<std::size_t>(now.left),
            .lost = static_cast<std::size_t>(now.lost),
            .expired = static_cast<std::size_t>(now.expired),
            .cost = {.order = order > 0 ? price.order : 0.0,
                     .unit = price.unit * static_cast<double>(order),
                     .holding = price.holding * now.left,
                     .shortage = price.shortage * now.lost,
                     .wastage = price.wastage * now.expired},
            .total = now.cost};
  }

 private:
  const Model* model_;
  detail::StockDynamics<Ages> dynamics_;
};

Episode::Episode(const Model& model)
    : model_(&model),
      dynamics_(detail::with_ages(model.shelf_life(),
                                  [&]<std::size_t Ages>() -> std::unique_ptr<const Dynamics> {
                                    return std::make_unique<const DynamicsOf<Ages>>(model);
                                  })) {
  start({});
}

Episode::Episode(Episode&&) noexcept = default;
Episode& Episode::operator=(Episode&&) noexcept = default;
Episode::~Episode() = default;

void Episode::start(const EpisodeStart& start) {
  require(start.state < model_->states(), "state {}; accepted: 0 to {}", start.state,
          model_->states() - 1);
  state_ = start.state;
  bits_ = stream_generator(start.seed, start.replication);
}

std::size_t Episode::stock_total() const {
  return CumulativeStock(model_->stocks(), state_ % model_->stocks().size()).total();
}

std::size_t Episode::largest_order() const {
  return model_->largest_order(day(), stock_total());
}

EpisodePeriod Episode::step(std::size_t order) {
  const std::size_t most = largest_order();
  require(order <= most, "order {} in state {}, with {} units in stock{}; accepted: 0 to {}", order,
          state_, stock_total(), model_->days() > 1 ? fmt::format(" on day {}", day()) : "", most);
  const EpisodePeriod period = dynamics_->period(state_, order, bits_);
  state_ = period.next;
  return period;
}

}  // namespace shortfall::inventory
