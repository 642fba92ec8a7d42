#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "shortfall/portable_math.hpp"

#include "shortfall/inventory/order.hpp"
#include "shortfall/inventory/records.hpp"

namespace shortfall::inventory {
namespace {

/// A positive number as it is rounded by hand from the five decimals of the table: 4.6249996 is
/// 4.62500 there and 4.63 here. Only rounding decides about such numbers, and it may differ between
/// the command and a page.
std::string rounded_text(double value, int digits) {
  const double shown = std::round(value * 1e5) / 1e5;
  const double scale = portable::pow(10.0, digits);
  constexpr double below_rounding = 1e-6;
  return fmt::format("{:.{}f}", std::floor(shown * scale + 0.5 + below_rounding) / scale, digits);
}

/// Three digits, as people write them.
std::string amount_text(double value) {
  if (value >= 99.95) return rounded_text(value, 0);
  if (value >= 9.995) return rounded_text(value, 1);
  if (value >= 0.9995) return rounded_text(value, 2);
  return fmt::format("{:.2g}", value);
}

std::string percent_text(double probability) {
  const double percent = 100.0 * probability;
  if (percent >= 9.95) return fmt::format("{:.0f} %", percent);
  return percent >= 0.05 || percent == 0.0 ? fmt::format("{:.1f} %", percent) : "below 0.1 %";
}

class Reason {
 public:
  Reason(const Model& model, const OrderAnswer& answer) : model_(model), answer_(answer) {}

  std::string text() const {
    if (answer_.choices.size() == 1) return why_no_order_is_possible();
    if (answer_.order == 0) return why_nothing();
    return fmt::format("Order {}: {}; {}{}.", answer_.order, one_less(), one_more(), next_best());
  }

 private:
  const OrderChoice& best() const { return answer_.recommended(); }

  /// Whether the certified values tell the two orders apart.
  bool costs_more(const OrderChoice& other) const {
    return other.extra > 2.0 * answer_.error_bound;
  }

  std::string why_no_order_is_possible() const {
    if (answer_.limit == OrderLimit::capacity) {
      return fmt::format("Order nothing: the stock is at its capacity of {}.", model_.capacity());
    }
    return model_.days() == 1 ? "Order nothing: this plan allows no orders."
                              : fmt::format("Order nothing: no orders are placed on a {}.",
                                            weekday_name(answer_.today.day));
  }

  std::string why_nothing() const {
    const OrderChoice& best_other = answer_.choices[answer_.next_best()];
    if (!costs_more(best_other)) {
      return fmt::format("Order nothing: an order of {} has the same risk-adjusted cost.",
                         best_other.order);
    }
    return fmt::format(
        "Order nothing: the chance of running short today is {}, and any order raises the "
        "risk-adjusted cost, the best one ({}) by {}.",
        percent_text(best().chance_of_shortage), best_other.order, amount_text(best_other.extra));
  }

  std::string one_less() const {
    const OrderChoice& less = answer_.choices[answer_.order - 1];
    const std::string with =
        less.order == 0 ? std::string("without an order") : fmt::format("with {}", less.order);
    if (!costs_more(less)) return with + " the risk-adjusted cost is the same";
    const std::string before = percent_text(best().chance_of_shortage);
    const std::string after = percent_text(less.chance_of_shortage);
    const std::string cost = amount_text(less.extra);
    if (before == after) return fmt::format("{} the risk-adjusted cost rises by {}", with, cost);
    return fmt::format(
        "{} the chance of running short today rises from {} to {} and the risk-adjusted cost by {}",
        with, before, after, cost);
  }

  std::string one_more() const {
    if (answer_.limit == OrderLimit::capacity) {
      return fmt::format("more does not fit into the capacity of {}", model_.capacity());
    }
    if (answer_.limit == OrderLimit::max_order) return "it is the largest order of the day";
    const OrderChoice& more = answer_.choices[answer_.order + 1];
    if (!costs_more(more)) {
      return fmt::format("with {} the risk-adjusted cost is the same", more.order);
    }
    constexpr double least = 0.01;  // units that are worth a word
    const double now = best().expected_expired_in_all;
    const double then = more.expected_expired_in_all;
    const std::string before = amount_text(now);
    const std::string after = amount_text(then);
    const bool more_expire = then > now && then >= least && before != after;
    return fmt::format("with {} the risk-adjusted cost rises by {}{}", more.order,
                       amount_text(more.extra),
                       more_expire ? fmt::format(" and the number of units expected to expire, if "
                                                 "no more are ordered, from {} to {}",
                                                 before, after)
                                   : "");
  }

  /// Only if it is not one unit more or less, of which there is something to say in any case. A
  /// cost per order can make no order, or a far larger one, the best alternative.
  std::string next_best() const {
    const OrderChoice& next = answer_.choices[answer_.next_best()];
    if (next.order + 1 == answer_.order || next.order == answer_.order + 1) return "";
    const std::string order =
        next.order == 0 ? std::string("no order") : fmt::format("an order of {}", next.order);
    if (!costs_more(next)) return fmt::format("; {} has the same risk-adjusted cost", order);
    return fmt::format("; next best is {}, which costs {} more", order, amount_text(next.extra));
  }

  const Model& model_;
  const OrderAnswer& answer_;
};

}  // namespace

std::string reason_for(const Model& model, const OrderAnswer& answer) {
  return Reason(model, answer).text();
}

}  // namespace shortfall::inventory
