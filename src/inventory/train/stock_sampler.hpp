#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "inventory/model/cumulative_stock.hpp"
#include "inventory/simulate/stock_dynamics.hpp"
#include "shortfall/inventory/train/evaluation_method.hpp"
#include "shortfall/inventory/train/stock_features.hpp"
#include "shortfall/mdp/generative_model.hpp"

/// The inventory as a generative model, for learning.
namespace shortfall::inventory::detail {

/// Cumulative sums, as StockDynamics has them, and the day.
template <std::size_t Ages>
struct SampledStock {
  typename StockDynamics<Ages>::Amounts up_to{};
  std::uint32_t day = 0;
};

/// A decision process that can be simulated; orders are its actions.
template <std::size_t Ages>
class StockSampler {
 public:
  using State = SampledStock<Ages>;
  using Action = ActionIndex;

  explicit StockSampler(const Model& model)
      : model_(&model), dynamics_(model), orders_(model.max_order() + 1) {
    std::iota(orders_.begin(), orders_.end(), Action{0});
  }

  const Model& model() const { return *model_; }
  const StockDynamics<Ages>& dynamics() const { return dynamics_; }

  bool is_terminal(const State&) const { return false; }
  std::size_t index(const State& x) const {
    return x.day * model_->stocks().size() + dynamics_.rank(x.up_to);
  }
  std::span<const Action> actions(const State& x) const {
    const auto total = static_cast<std::size_t>(x.up_to[Ages - 1]);
    return std::span(orders_).first(model_->largest_order(x.day, total) + 1);
  }

  template <RandomBits G>
  Step<State> step(const State& x, Action z, G& bits) const {
    State next = x;
    const double cost = dynamics_.period(x.day, z, bits, next.up_to).cost;
    next.day = x.day + 1 == model_->days() ? 0 : x.day + 1;
    return {cost, next};
  }

 private:
  const Model* model_;
  StockDynamics<Ages> dynamics_;
  std::vector<Action> orders_;  // 0, 1, .., the largest
};

/// StockFeatures of a sampled stock.
template <std::size_t Ages>
class SampledStockFeatures {
 public:
  explicit SampledStockFeatures(StockFeatures features, std::size_t shelf_life)
      : features_(std::move(features)), ages_(shelf_life - 1) {}

  std::size_t dimension() const { return features_.dimension(); }
  void write(const SampledStock<Ages>& x, std::span<double> out) const {
    std::array<std::uint8_t, Ages> stock;  // NOLINT(*-member-init): written next
    std::int32_t before = 0;
    for (std::size_t i = 0; i < ages_; ++i) {
      stock[i] = static_cast<std::uint8_t>(x.up_to[i] - before);
      before = x.up_to[i];
    }
    features_.write({x.day, {stock.data(), ages_}}, out);
  }

 private:
  StockFeatures features_;
  std::size_t ages_;
};

/// The start of paths: on a random day, with stock from an arbitrary delivery. Its size is uniform
/// from 0 to the capacity and it arrives as orders of the last open day do; it has aged since that
/// day, and each further period has probability 1/8. So all stock levels are visited, with
/// realistic ages, under any policy: one that never orders would otherwise see only the empty
/// stock.
template <std::size_t Ages>
class DeliveryStart {
 public:
  explicit DeliveryStart(const StockSampler<Ages>& sampler) : sampler_(&sampler) {}

  template <RandomBits G>
  SampledStock<Ages> operator()(G& bits) const {
    const Model& model = sampler_->model();
    SampledStock<Ages> x;
    x.day = draw_index(bits, static_cast<std::uint32_t>(model.days()));
    const auto [delivered_on, periods] = last_open_day(x.day);
    const std::size_t largest = model.largest_order(delivered_on, 0);
    std::size_t size = draw_index(bits, static_cast<std::uint32_t>(model.capacity() + 1));
    if (largest == 0) size = 0;
    auto total = static_cast<std::int32_t>(size);  // including units with all m periods left
    while (size > 0) {
      const std::size_t z = std::min(size, largest);
      const auto arrived =
          sampler_->dynamics().deliver(delivered_on, static_cast<std::int32_t>(z), bits());
      for (std::size_t i = 0; i < Ages; ++i) x.up_to[i] += arrived[i];
      size -= z;
    }
    for (std::size_t k = 1; k < periods; ++k) total = age_one_period(x, total);
    do total = age_one_period(x, total);
    while (draw_uniform(bits) < 0.125);
    return x;
  }

 private:
  /// The last day before this one on which orders are possible, and how long ago it was; the day
  /// before if there is none.
  struct Delivered {
    std::size_t day;
    std::size_t periods;
  };
  Delivered last_open_day(std::size_t day) const {
    const Model& model = sampler_->model();
    const auto before = [&](std::size_t d) { return d == 0 ? model.days() - 1 : d - 1; };
    Delivered last{before(day), 1};
    while (model.largest_order(last.day, 0) == 0 && model.max_order() > 0) {
      last = {before(last.day), last.periods + 1};
    }
    return last;
  }

  /// A period without demand; returns the remaining total.
  static std::int32_t age_one_period(SampledStock<Ages>& x, std::int32_t total) {
    const std::int32_t expired = x.up_to[0];
    for (std::size_t i = 0; i + 1 < Ages; ++i) x.up_to[i] = x.up_to[i + 1] - expired;
    return x.up_to[Ages - 1] = total - expired;
  }

  const StockSampler<Ages>* sampler_;
};

/// The start of paths that was chosen.
template <std::size_t Ages>
class StockStart {
 public:
  StockStart(const StockSampler<Ages>& sampler, PathStart start)
      : sampler_(&sampler), delivery_(sampler), start_(start) {}

  template <RandomBits G>
  SampledStock<Ages> operator()(G& bits) const {
    if (start_ == PathStart::delivery) return delivery_(bits);
    SampledStock<Ages> x;
    if (start_ == PathStart::empty) return x;
    const Model& model = sampler_->model();
    const std::size_t stocks = model.stocks().size();
    const std::size_t s = draw_index(bits, static_cast<std::uint32_t>(model.states()));
    x.day = static_cast<std::uint32_t>(s / stocks);
    const CumulativeStock stock(model.stocks(), s % stocks);
    x.up_to.fill(static_cast<std::int32_t>(stock.total()));
    for (std::size_t i = 0; i < model.stocks().length(); ++i) {
      x.up_to[i] = static_cast<std::int32_t>(stock[i + 1]);
    }
    return x;
  }

 private:
  const StockSampler<Ages>* sampler_;
  DeliveryStart<Ages> delivery_;
  PathStart start_;
};

}  // namespace shortfall::inventory::detail
