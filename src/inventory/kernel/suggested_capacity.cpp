#include "shortfall/inventory/kernel/suggested_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::inventory {
namespace {

constexpr double rarest = 1e-6;
constexpr std::size_t days_of_week = 7;

std::size_t days_of(const ModelParts& parts) {
  const bool alike = parts.max_order.size() == 1 && parts.arrival.size() == 1 &&
                     parts.demand.size() == 1 && parts.cost.size() == 1;
  return alike ? 1 : days_of_week;
}

/// The law of the sum of a demand and another one; what exceeds the largest capacity is put there.
std::vector<double> sum_of(const std::vector<double>& law, const std::vector<double>& demand) {
  std::vector<double> sum(std::min(law.size() + demand.size() - 1, largest_capacity + 1), 0.0);
  for (std::size_t k = 0; k < law.size(); ++k) {
    for (std::size_t d = 0; d < demand.size(); ++d) {
      sum[std::min(k + d, largest_capacity)] += law[k] * demand[d];
    }
  }
  return sum;
}

/// The least k with P(X > k) ≤ `chance`.
std::size_t quantile_above(const std::vector<double>& law, double chance) {
  double above = 0.0;
  std::size_t k = law.size() - 1;
  for (; k > 0 && above + law[k] <= chance; --k) above += law[k];
  return k;
}

/// How much more a loss may count one cost than another.
double ratio_of_slopes(const AnyLoss& loss) {
  const SlopeBounds slopes = loss.slope_bounds();
  return slopes.lower > 0.0 ? std::max(slopes.upper / slopes.lower, 1.0) : infinity;
}

/// The chance that a unit must have to be of use; see suggested_capacity().
double least_chance(const ModelParts& parts, const Criterion& criterion, std::size_t day) {
  const double shelf_life = static_cast<double>(parts.arrival.front().shelf_life());
  const Costs& cost = of_day(parts.cost, day);
  double useful = 0.0;
  for (const Costs& later : parts.cost) {
    useful = std::max({useful, later.shortage, later.order + later.unit});
  }
  double useless = cost.unit + cost.holding;
  useless += portable::pow(criterion.gamma, shelf_life - 1.0) * cost.wastage;
  const double ratio = useful > 0.0 ? useless / (useful * ratio_of_slopes(criterion.loss)) : 1.0;
  return std::clamp(ratio / (1.0 + ratio), rarest, 0.5);
}

/// A stock that no plan exceeds, but for what is about to expire.
std::size_t highest_useful(const ModelParts& parts, const Criterion& criterion) {
  const std::size_t days = days_of(parts);
  std::size_t highest = 1;
  for (std::size_t first = 0; first < days; ++first) {
    if (of_day(parts.max_order, first) == 0) continue;
    std::vector<double> law = {1.0};
    for (std::size_t t = 0; t < parts.arrival.front().shelf_life(); ++t) {
      law = sum_of(law, of_day(parts.demand, (first + t) % days));
    }
    highest = std::max(highest, quantile_above(law, least_chance(parts, criterion, first)) + 1);
  }
  return std::min(highest, largest_capacity);
}

/// The best orders if nothing perishes, by value iteration; see suggested_capacity().
class WithoutExpiry {
 public:
  WithoutExpiry(const ModelParts& parts, const Criterion& criterion, std::size_t limit,
                bool is_kept = true)
      : parts_(parts),
        criterion_(criterion),
        is_kept_(is_kept),
        days_(days_of(parts)),
        limit_(limit),
        value_(limit + 1, 0.0),
        order_(days_, std::vector<std::size_t>(limit + 1, 0)) {
    constexpr int most_sweeps = 200;
    for (int sweep = 0; sweep < most_sweeps / static_cast<int>(days_) + 1; ++sweep) {
      const std::vector<double> before = value_;
      for (std::size_t day = days_; day-- > 0;) back_up(day);
      if (is_settled(before)) break;
    }
  }

  const std::vector<std::vector<std::size_t>>& orders() const { return order_; }

 private:
  /// A common change of all values changes no order.
  bool is_settled(const std::vector<double>& before) const {
    constexpr double close = 1e-6;
    double least = infinity;
    double most = -infinity;
    double largest = 0.0;
    for (std::size_t t = 0; t <= limit_; ++t) {
      least = std::min(least, value_[t] - before[t]);
      most = std::max(most, value_[t] - before[t]);
      largest = std::max(largest, std::abs(value_[t]));
    }
    return !(most - least > close * largest);
  }

  /// H(y) of a day.
  double after_delivery(std::size_t day, std::size_t y) {
    const Costs& cost = of_day(parts_.cost, day);
    const std::vector<double>& demand = of_day(parts_.demand, day);
    targets_.resize(demand.size());
    for (std::size_t d = 0; d < demand.size(); ++d) {
      const std::size_t left = y - std::min(d, y);
      targets_[d] = cost.holding * static_cast<double>(left) +
                    cost.shortage * static_cast<double>(d - std::min(d, y)) +
                    (is_kept_ ? criterion_.gamma * (value_[left] - value_[0])
                              : cost.wastage * static_cast<double>(left));
    }
    return criterion_.gamma * value_[0] + shortfall_risk(criterion_.loss, {targets_, demand});
  }

  void back_up(std::size_t day) {
    const Costs& cost = of_day(parts_.cost, day);
    const std::size_t most = of_day(parts_.max_order, day);
    std::vector<double> after(limit_ + 1);
    for (std::size_t y = 0; y <= limit_; ++y) after[y] = after_delivery(day, y);
    for (std::size_t t = 0; t <= limit_; ++t) {
      double best = after[t];
      order_[day][t] = 0;
      for (std::size_t z = 1; z <= std::min(most, limit_ - t); ++z) {
        const double value = cost.order + cost.unit * static_cast<double>(z) + after[t + z];
        if (!(value < best)) continue;
        best = value;
        order_[day][t] = z;
      }
      value_[t] = best;
    }
  }

  const ModelParts& parts_;
  const Criterion& criterion_;
  bool is_kept_;  // what is left in the evening; otherwise it is wasted
  std::size_t days_;
  std::size_t limit_;
  std::vector<double> value_;
  std::vector<std::vector<std::size_t>> order_;  // [day][total stock]
  std::vector<double> targets_;
};

/// The share of units that arrive with one day left, of orders of a day's demand.
double lost_at_once(const ModelParts& parts) {
  if (parts.arrival.front().shelf_life() == 1) return 0.0;
  double demand = 0.0;
  for (const std::vector<double>& law : parts.demand) {
    for (std::size_t d = 0; d < law.size(); ++d) demand += static_cast<double>(d) * law[d];
  }
  const auto order =
      static_cast<std::size_t>(std::ceil(demand / static_cast<double>(parts.demand.size())));
  double lost = 0.0;
  for (const Arrival& arrival : parts.arrival) {
    lost += arrival.probabilities(std::max<std::size_t>(order, 1)).front();
  }
  return lost / static_cast<double>(parts.arrival.size());
}

std::size_t with_room(const ModelParts& parts, std::size_t highest) {
  const double more = std::max(lost_at_once(parts), 0.1);
  const double wanted = static_cast<double>(highest) * (1.0 + more) + 1.0;
  return std::min(std::max(static_cast<std::size_t>(wanted), highest + 2), largest_capacity);
}

}  // namespace

std::size_t largest_useful_capacity(const ModelParts& parts, const Criterion& criterion) {
  return with_room(parts, highest_useful(parts, criterion));
}

std::size_t suggested_capacity(const ModelParts& parts, const Criterion& criterion) {
  require(!parts.cost.empty(), "no costs; accepted: one set of costs, or seven");
  const std::size_t limit = highest_useful(parts, criterion);
  std::size_t highest = 1;
  for (const bool is_kept : {true, false}) {
    const WithoutExpiry best(parts, criterion, limit, is_kept);
    for (const std::vector<std::size_t>& order : best.orders()) {
      for (std::size_t total = 0; total < order.size(); ++total) {
        if (order[total] > 0) highest = std::max(highest, total + order[total]);
      }
    }
  }
  return with_room(parts, highest);
}

std::size_t largest_useful_order(const ModelParts& parts, const Criterion& criterion) {
  std::size_t largest = 0;
  const std::size_t limit = std::min(highest_useful(parts, criterion), parts.capacity);
  const WithoutExpiry best(parts, criterion, limit);
  for (const std::vector<std::size_t>& order : best.orders()) {
    largest = std::max(largest, *std::ranges::max_element(order));
  }
  return largest;
}

}  // namespace shortfall::inventory
