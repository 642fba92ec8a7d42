#include "shortfall/inventory/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "inventory/expected_expiry.hpp"
#include "inventory/order_values.hpp"
#include "require.hpp"
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
  return today.total() + order == model.capacity() ? OrderLimit::capacity : OrderLimit::max_order;
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
    require(total <= model.capacity(), "the stock has more than {}; accepted: at most the capacity",
            io::counted(model.capacity(), "unit"));
    today.stock.push_back(static_cast<std::uint8_t>(units));
  }
  if (model.days() == 1) {
    require(!day.has_value(),
            "a day is given, but all days of this plan are alike; accepted: none");
    return today;
  }
  require(day.has_value(),
          "the plan differs by weekday; accepted: one of mon, tue, wed, thu, fri, sat, sun");
  require(*day < model.days(), "day {}; accepted: 0 (Monday) to 6 (Sunday)", *day);
  today.day = *day;
  return today;
}

OrderAnswer best_order(const Model& model, const Criterion& criterion, const Solution& solution,
                       const StockToday& today, const Monitor& monitor) {
  require(solution.values.size() == model.states() && solution.policy.size() == model.states(),
          "a solution of {} states for a plan of {}; accepted: the solution of the plan",
          solution.values.size(), model.states());
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

}  // namespace shortfall::inventory
