#include "shortfall/inventory/plan/rule_in_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "inventory/plan/replay.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

struct OrderDay {
  std::size_t stock;
  std::size_t largest;  // that the plan allows
  std::size_t ordered;
};

std::vector<OrderDay> order_days(const Model& model, const Records& records) {
  const std::vector<const DayRecord*> calendar = calendar_of(records);
  const Shelf::Units start = records.columns.received > 0
                                 ? recorded_start(model, calendar)
                                 : Shelf::Units(model.stocks().length(), 0);
  const RecordedDeliveries deliveries(model, 1);
  const ActualReplay replay = replay_actual({model, records, calendar, deliveries, start});
  std::vector<OrderDay> days;
  for (std::size_t t = model.stocks().length(); t < replay.policy.days.size(); ++t) {
    const BacktestDay& day = replay.policy.days[t];
    const std::size_t stock = Shelf(day.stock).total();
    const std::size_t largest =
        model.largest_order(model_day(model, day.date), std::min(stock, model.capacity()));
    if (!day.is_closed && largest > 0) days.push_back({stock, largest, day.ordered});
  }
  return days;
}

struct LevelRule {
  std::string name;
  double agreement;
};

class LevelRules {
 public:
  explicit LevelRules(const std::vector<OrderDay>& days) : days_(days) {
    for (const OrderDay& day : days) (day.ordered > 0 ? with_ : without_) += 1.0;
  }

  double with_order() const { return with_; }

  /// `order(stock)` before what the day allows.
  template <class Order>
  double agreement(const Order& order) const {
    double same_with = 0.0;
    double same_without = 0.0;
    for (const OrderDay& day : days_) {
      if (std::min(order(day.stock), day.largest) != day.ordered) continue;
      (day.ordered > 0 ? same_with : same_without) += 1.0;
    }
    const double of_with = same_with / with_;
    return without_ > 0.0 ? std::min(of_with, same_without / without_) : of_with;
  }

  LevelRule best(std::size_t capacity) const {
    LevelRule best{"", -1.0};
    const auto offer = [&](const std::string& name, double agreement, double margin) {
      if (agreement > best.agreement + margin) best = {name, agreement};
    };
    for (std::size_t n = 1; n <= capacity; ++n) {
      offer(fmt::format("fixed:{}", n), agreement([&](std::size_t) { return n; }), 0.0);
    }
    LevelRule levels{"", -1.0};
    for (const bool is_base : {true, false}) {
      for (std::size_t S = 1; S <= capacity; ++S) {
        for (std::size_t s = is_base ? S - 1 : 0; s < (is_base ? S : S - 1); ++s) {
          const double found =
              agreement([&](std::size_t stock) { return stock <= s ? S - stock : std::size_t{0}; });
          if (found <= levels.agreement) continue;
          levels = {is_base ? fmt::format("base-stock:{}", S) : fmt::format("reorder:{},{}", s, S),
                    found};
        }
      }
      offer(levels.name, levels.agreement, 0.02);
    }
    return best;
  }

 private:
  const std::vector<OrderDay>& days_;
  double with_ = 0.0;
  double without_ = 0.0;
};

}  // namespace

RuleInUse rule_in_use(const Model& model, const Records& records) {
  RuleInUse result;
  if (!records.columns.ordered && records.columns.received == 0) {
    result.reason = "the records have neither orders nor deliveries";
    return result;
  }
  const std::vector<OrderDay> days = order_days(model, records);
  const LevelRules rules(days);
  result.days = days.size();
  constexpr double least_days = 10.0;
  if (rules.with_order() < least_days) {
    result.reason =
        fmt::format("the records have {} with an order; {} are needed",
                    io::counted(static_cast<std::size_t>(rules.with_order()), "day"), least_days);
    return result;
  }
  const LevelRule best = rules.best(model.capacity());
  result.agreement = best.agreement;
  if (best.agreement >= RuleInUse::least_agreement) {
    result.rule = parse_rule(best.name);
  } else {
    result.reason = fmt::format(
        "no rule with fixed levels explains the recorded orders: the closest, {}, gives {:.0f} % "
        "of them",
        best.name, 100.0 * best.agreement);
  }
  return result;
}

}  // namespace shortfall::inventory
