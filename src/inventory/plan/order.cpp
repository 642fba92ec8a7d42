#include "shortfall/inventory/plan/order.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "errors/require.hpp"
#include "inventory/plan/full_shelf.hpp"
#include "inventory/plan/order_values.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

/// E (k - D)⁺.
double expected_above_demand(std::size_t k, std::span<const double> demand) {
  double sum = 0.0;
  for (std::size_t d = 0; d < std::min(k, demand.size()); ++d) {
    sum += static_cast<double>(k - d) * demand[d];
  }
  return sum;
}

/// E (x_1 + Y_1 - D)⁺ where Y_1 of z units have one period left, each with probability p.
double expected_expired(std::size_t x_1, std::size_t z, double p, std::span<const double> demand) {
  std::vector<double> oldest = {1.0};  // the law of Y_1, unit by unit: nothing is subtracted
  for (std::size_t unit = 0; unit < z; ++unit) {
    oldest.push_back(oldest.back() * p);
    for (std::size_t k = unit; k > 0; --k) oldest[k] = oldest[k] * (1.0 - p) + oldest[k - 1] * p;
    oldest[0] *= 1.0 - p;
  }
  double sum = 0.0;
  for (std::size_t k = 0; k <= z; ++k) sum += oldest[k] * expected_above_demand(x_1 + k, demand);
  return sum;
}

OrderChoice choice_of(const Model& model, const StockToday& today, std::size_t z, double value) {
  const std::span<const double> demand = model.demand(today.day);
  const std::size_t total = today.total() + z;
  const std::size_t x_1 = today.stock.empty() ? 0 : today.stock.front();
  OrderChoice choice{.order = z, .value = value};
  for (std::size_t d = total + 1; d < demand.size(); ++d) {
    choice.chance_of_shortage += demand[d];
    choice.expected_short += static_cast<double>(d - total) * demand[d];
  }
  choice.expected_left = expected_above_demand(total, demand);
  choice.expected_expired =
      expected_expired(x_1, z, model.arrival(today.day).probabilities(z).front(), demand);
  const Costs& cost = model.cost(today.day);
  choice.expected_cost = model.order_cost(today.day, z) + cost.holding * choice.expected_left +
                         cost.shortage * choice.expected_short +
                         cost.wastage * choice.expected_expired;
  return choice;
}

/// By order: the units that expire if nothing more is ordered. That is the value of a model in
/// which only they cost something.
std::vector<double> expired_in_all(const Model& model, const StockToday& today,
                                   const Monitor& monitor) {
  ModelParts parts = model.parts();
  parts.cost.assign(model.days(), {.wastage = 1.0});
  const std::size_t most = today.total() + model.largest_order(today.day, today.total());
  const std::vector<double> later = expected_expiry(model, (today.day + 1) % model.days(), most);
  return order_values(Model(std::move(parts)), {Mean(), 1.0}, today, later, monitor).values;
}

OrderLimit limit_of(const Model& model, const StockToday& today, std::size_t order) {
  if (order < model.largest_order(today.day, today.total())) return OrderLimit::none;
  return today.total() + order >= model.capacity() ? OrderLimit::capacity : OrderLimit::max_order;
}

}  // namespace

std::size_t StockToday::total() const {
  return std::accumulate(stock.begin(), stock.end(), std::size_t{0});
}

std::size_t StockToday::state(const Model& model) const {
  return day * model.stocks().size() + model.stocks().rank(stock);
}

std::size_t OrderAnswer::next_best() const {
  double least = infinity;
  for (const OrderChoice& choice : choices) {
    if (choice.order != order) least = std::min(least, choice.value);
  }
  std::size_t best = order;
  const auto distance = [&](std::size_t z) { return z > order ? z - order : order - z; };
  for (const OrderChoice& choice : choices) {
    if (choice.order == order || choice.value > least + 2.0 * error_bound) continue;
    if (best == order || distance(choice.order) < distance(best)) best = choice.order;
  }
  return best;
}

StockToday stock_today(const Model& model, std::span<const std::int64_t> stock,
                       std::optional<std::size_t> day) {
  const std::size_t ages = model.stocks().length();
  require(stock.size() == ages, "the stock has {}; accepted: {}",
          io::counted(stock.size(), "number"),
          ages == 0   ? "none: with shelf life 1 nothing is left from the day before"
          : ages == 1 ? "one, the units with one period left"
                      : fmt::format("{}, the units with 1, 2, .. periods left", ages));
  StockToday today;
  std::size_t total = 0;
  for (const std::int64_t units : stock) {
    require(units >= 0, "the stock has {} units of one age; accepted: whole numbers from 0", units);
    total += std::min<std::size_t>(static_cast<std::size_t>(units), largest_capacity + 1);
    require(total <= largest_capacity, "the stock has more than {}; accepted: at most that many",
            io::counted(largest_capacity, "unit"));
    today.stock.push_back(static_cast<std::uint8_t>(units));
  }
  if (model.days() == 1) {
    require(!day.has_value(),
            "a day is given, but all days of this plan are alike; accepted: none");
    return today;
  }
  require(day.has_value(), "the plan differs by weekday; accepted: one of {}", accepted_weekdays);
  require(*day < model.days(), "day {}; accepted: 0 (Monday) to 6 (Sunday)", *day);
  today.day = *day;
  return today;
}

namespace {

OrderAnswer order_nothing(const Model& model, const Criterion& criterion, const Solution& solution,
                          const StockToday& today) {
  const FullShelf full = full_shelf(model, criterion, solution, today);
  OrderAnswer answer{.today = today,
                     .error_bound = criterion.gamma * solution.error_bound + full.rounding,
                     .choices = {choice_of(model, today, 0, full.value)},
                     .limit = OrderLimit::capacity};
  answer.choices.front().expected_expired_in_all = full.expired_in_all;
  answer.reason = reason_for(model, answer);
  return answer;
}

}  // namespace

OrderAnswer best_order(const Model& model, const Criterion& criterion, const Solution& solution,
                       const StockToday& today, const Monitor& monitor) {
  require(!solution.policy.empty(),
          "the solution has no orders, since it was stopped before it had a bound; accepted: one "
          "with a bound");
  require(solution.values.size() == model.states() && solution.policy.size() == model.states(),
          "a solution of {} states for a plan of {}; accepted: the solution of the plan",
          solution.values.size(), model.states());
  if (today.total() > model.capacity()) return order_nothing(model, criterion, solution, today);
  const std::size_t stocks = model.stocks().size();
  const std::size_t next_day = (today.day + 1) % model.days();
  const auto found =
      order_values(model, criterion, today,
                   std::span(solution.values).subspan(next_day * stocks, stocks), monitor);
  OrderAnswer answer{.today = today};
  const std::vector<double> expired =
      found.values.empty() ? std::vector<double>() : expired_in_all(model, today, monitor);
  if (expired.empty()) return answer;
  answer.error_bound = criterion.gamma * solution.error_bound + found.rounding;
  const auto chosen = static_cast<std::size_t>(solution.policy[today.state(model)]);
  const double least = *std::ranges::min_element(found.values);
  const bool is_best =
      chosen < found.values.size() && found.values[chosen] <= least + 2.0 * answer.error_bound;
  answer.order = is_best ? chosen : smallest_best_order(found.values, 0.0);
  answer.limit = limit_of(model, today, answer.order);
  for (std::size_t z = 0; z < found.values.size(); ++z) {
    answer.choices.push_back(choice_of(model, today, z, found.values[z]));
    answer.choices.back().extra = found.values[z] - found.values[answer.order];
    answer.choices.back().expected_expired_in_all = expired[z];
  }
  answer.reason = reason_for(model, answer);
  return answer;
}

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

  /// Whether the certified values distinguish the two orders.
  bool costs_more(const OrderChoice& other) const {
    return other.extra > 2.0 * answer_.error_bound;
  }

  /// How equal two orders are that they do not distinguish, where values are coarse.
  std::string to_within(const OrderChoice& other) const {
    constexpr double coarse = 1e-3;
    const double margin = 2.0 * answer_.error_bound;
    return margin > coarse ? " to within " + bound_text(std::abs(other.extra) + margin) : "";
  }

  std::string why_no_order_is_possible() const {
    if (answer_.today.total() > model_.capacity()) {
      return fmt::format("Order nothing: the stock of {} is above the capacity of {}.",
                         answer_.today.total(), model_.capacity());
    }
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
      return fmt::format("Order nothing: an order of {} has the same risk-adjusted cost{}.",
                         best_other.order, to_within(best_other));
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
    if (!costs_more(less)) return with + " the risk-adjusted cost is the same" + to_within(less);
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
      return fmt::format("with {} the risk-adjusted cost is the same{}", more.order,
                         to_within(more));
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
    if (!costs_more(next)) {
      return fmt::format("; {} has the same risk-adjusted cost{}", order, to_within(next));
    }
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
