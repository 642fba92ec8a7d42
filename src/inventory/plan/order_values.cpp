#include "inventory/plan/order_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "inventory/kernel/nested_binomials.hpp"
#include "numbers/roundoff.hpp"
#include "parallel/watch.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::inventory {
namespace {

/// The law of c + γ (V(X') - V(empty)), without what an order costs, for one order after another.
class TargetLaw {
 public:
  TargetLaw(const Model& model, double gamma, const StockToday& today,
            std::span<const double> next_values)
      : model_(model),
        gamma_(gamma),
        today_(today),
        demand_(model.demand(today.day)),
        next_values_(next_values),
        arrivals_(model.arrival(today.day), model.largest_order(today.day, today.total())),
        left_(model.stocks().size(), 0.0L) {}

  const NestedBinomials& arrivals() const { return arrivals_; }

  Law of_order(std::size_t z) {
    atoms_.clear();
    probabilities_.clear();
    total_ = today_.total() + z;
    order_ = z;
    contributions_ = 0.0;
    for (std::size_t d = total_; d < demand_.size(); ++d) {
      add(cost(0, d), demand_[d]);
    }
    std::array<std::size_t, longest_shelf_life> w{};
    std::copy(today_.stock.begin(), today_.stock.end(), w.begin());
    place(model_.shelf_life(), z, 1.0, w);
    add_left();
    normalise();
    return {atoms_, probabilities_};
  }

  /// For the last law, the number of additions that a term takes part in. Those in extended
  /// precision are 2^11 times as accurate.
  double terms() const {
    return static_cast<double>(atoms_.size()) + contributions_ / 2048.0 + 2.0;
  }

 private:
  using Stock = std::array<std::size_t, longest_shelf_life>;

  double cost(std::size_t expiring, std::size_t d) const {
    return model_.period_cost(today_.day, {total_, expiring}, d);
  }

  double later(std::size_t rank) const {
    return next_values_.empty() ? 0.0 : gamma_ * (next_values_[rank] - next_values_[0]);
  }

  void add(double target, double probability) {
    if (probability == 0.0) return;
    atoms_.push_back(target);
    probabilities_.push_back(probability);
  }

  /// Places the r units that have at most i periods left, in all ways.
  void place(std::size_t i, std::size_t r, double weight, Stock& w) {
    if (i == 1) {
      w[0] += r;
      add_delivery(weight, w);
      w[0] -= r;
      return;
    }
    const NestedBinomials::Weights& law = arrivals_.weights(order_, i, r);
    for (std::size_t k = law.first; k <= law.last; ++k) {
      const std::size_t y = i == 2 ? r - k : k;  // the weights of i = 2 are those of Y_1
      w[i - 1] += y;
      place(i - 1, r - y, weight * law.at_first[k - law.first], w);
      w[i - 1] -= y;
    }
  }

  /// The demands that leave something of w.
  void add_delivery(double weight, const Stock& w) {
    if (weight == 0.0) return;
    const std::size_t m = model_.shelf_life();
    const std::size_t demands = std::min(total_, demand_.size());
    std::array<const std::uint32_t*, longest_shelf_life> terms{};
    Stock up_to{};  // units with 2, .., i + 1 periods left
    std::size_t untouched = 0;
    for (std::size_t i = 1; i < m; ++i) {
      terms[i] = model_.stocks().terms(i);
      up_to[i] = w[i] + (i > 1 ? up_to[i - 1] : 0);
      untouched += terms[i][up_to[i]];
    }
    const std::size_t expiring = std::min(w[0], demands);
    for (std::size_t d = 0; d < expiring; ++d) {
      add(cost(w[0], d) + later(untouched), weight * demand_[d]);
    }
    for (std::size_t d = w[0]; d < demands; ++d) {
      const std::size_t from_fresher = d - w[0];
      std::size_t rank = 0;
      for (std::size_t i = 1; i < m; ++i) {
        rank += terms[i][up_to[i] > from_fresher ? up_to[i] - from_fresher : 0];
      }
      left_[rank] += static_cast<long double>(weight) * demand_[d];
    }
    contributions_ += static_cast<double>(demands);
  }

  /// Adds the law of what is left where nothing expires, and clears it.
  void add_left() {
    if (model_.shelf_life() == 1) return;
    for (std::size_t units = 1; units <= total_; ++units) {
      const double holding = cost(0, total_ - units);
      const std::size_t end = model_.stocks().layer_begin(units + 1);
      for (std::size_t rank = model_.stocks().layer_begin(units); rank < end; ++rank) {
        add(holding + later(rank), static_cast<double>(left_[rank]));
        left_[rank] = 0.0L;
      }
    }
  }

  /// Closed forms need probabilities that sum to one; a common factor moves no other root.
  void normalise() {
    long double sum = 0.0L;
    for (const double p : probabilities_) sum += p;
    for (double& p : probabilities_) p = static_cast<double>(p / sum);
  }

  const Model& model_;
  double gamma_;
  const StockToday& today_;
  std::span<const double> demand_;
  std::span<const double> next_values_;
  NestedBinomials arrivals_;
  std::vector<long double> left_;  // P(X' = x, nothing expires) by rank of x
  std::vector<double> atoms_;
  std::vector<double> probabilities_;
  std::size_t order_ = 0;
  std::size_t total_ = 0;
  double contributions_ = 0.0;
};

/// Twice the magnitude: targets are relative to V(empty), and the order's cost is added last.
double rounding_of(const AnyLoss& loss, const Law& law, const TargetLaw& targets, double shift) {
  using shortfall::detail::unit_roundoff;
  const auto [lowest, highest, mean] = summarise(law);
  double least = 1.0;
  for (const double p : law.probabilities) least = std::min(least, p);
  const double probability_error =
      demand_error + targets.arrivals().relative_error() + 4.0 * unit_roundoff;
  const double magnitude = std::max(std::abs(lowest), std::abs(highest)) + std::abs(shift);
  return RiskRounding(loss, {targets.terms(), probability_error, least})
      .bound(2.0 * magnitude, highest - lowest);
}

}  // namespace

OrderValues order_values(const Model& model, const Criterion& criterion, const StockToday& today,
                         std::span<const double> next_values, const Monitor& monitor) {
  shortfall::detail::Watch watch(monitor, {.activity = "comparing orders"});
  TargetLaw targets(model, criterion.gamma, today, next_values);
  const double base = next_values.empty() ? 0.0 : criterion.gamma * next_values[0];
  const std::size_t largest = model.largest_order(today.day, today.total());
  OrderValues result;
  for (std::size_t z = 0; z <= largest; ++z) {
    const Law law = targets.of_order(z);
    const double shift = base + model.order_cost(today.day, z);
    result.values.push_back(shift + shortfall_risk(criterion.loss, law));
    result.rounding = std::max(result.rounding, rounding_of(criterion.loss, law, targets, shift));
    watch.set_fraction(static_cast<double>(z + 1) / static_cast<double>(largest + 1));
    if (watch.is_stopped()) return {};
  }
  return result;
}

std::size_t smallest_best_order(std::span<const double> values, double margin) {
  const double least = *std::ranges::min_element(values);
  const auto best = std::ranges::find_if(
      values, [&](double value) { return value <= least + margin || value == least; });
  return static_cast<std::size_t>(best - values.begin());
}

std::vector<double> expected_expiry(const Model& model, std::size_t day, std::size_t capacity) {
  const std::size_t ages = model.stocks().length();
  std::vector<double> later = {0.0};  // of the one stock without ages
  for (std::size_t length = 1; length <= ages; ++length) {
    const StockIndex now(length, capacity);
    const StockIndex next(length - 1, capacity);
    const std::span<const double> demand = model.demand((day + ages - length) % model.days());
    std::vector<double> expiry(now.size(), 0.0);
    std::vector<std::uint8_t> x(length);
    std::vector<std::uint8_t> left(length - 1);
    for (std::size_t rank = 0; rank < expiry.size(); ++rank) {
      now.unrank(static_cast<std::uint32_t>(rank), x);
      for (std::size_t d = 0; d < demand.size(); ++d) {
        age(x, d, left);
        const double expired = x[0] > d ? static_cast<double>(x[0] - d) : 0.0;
        expiry[rank] += demand[d] * (expired + later[next.rank(left)]);
      }
    }
    later = std::move(expiry);
  }
  return later;
}

}  // namespace shortfall::inventory
