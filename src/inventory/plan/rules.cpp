#include "shortfall/inventory/plan/rules.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "errors/require.hpp"
#include "inventory/plan/order_values.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/order.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

constexpr std::string_view base_stock = "base-stock:";
constexpr std::string_view reorder = "reorder:";
constexpr std::string_view fixed = "fixed:";
constexpr std::uint32_t largest_level = largest_capacity;

constexpr std::array<std::pair<std::string_view, Rule::Kind>, 4> plain_rules = {
    {{"optimal", Rule::Kind::optimal},
     {"static", Rule::Kind::static_orders},
     {"myopic", Rule::Kind::myopic},
     {"risk-neutral", Rule::Kind::risk_neutral}}};

ReorderLevels base_stock_levels(const std::string& name) {
  const std::uint32_t level =
      io::parse_id(std::string_view(name).substr(base_stock.size()), largest_level).value_or(0);
  require(level > 0,
          "{}: this is not a level; accepted: base-stock:S with S from 1 to the capacity", name);
  return {level - 1, level};
}

ReorderLevels reorder_levels(const std::string& name) {
  const std::string_view levels = std::string_view(name).substr(reorder.size());
  const std::size_t comma = std::min(levels.find(','), levels.size());
  const std::uint32_t reorder_at =
      io::parse_id(levels.substr(0, comma), largest_level).value_or(largest_level);
  const std::uint32_t up_to =
      comma < levels.size() ? io::parse_id(levels.substr(comma + 1), largest_level).value_or(0) : 0;
  require(reorder_at < up_to,
          "{}: these are not levels; accepted: reorder:s,S with s below S, and S at most the "
          "capacity",
          name);
  return {reorder_at, up_to};
}

std::size_t fixed_amount(const std::string& name) {
  const auto amount = io::parse_id(std::string_view(name).substr(fixed.size()), largest_level);
  require(amount.has_value(),
          "{}: this is not an amount; accepted: fixed:N with N from 0 to the capacity", name);
  return *amount;
}

Solution solve_with(const Model& model, const Criterion& criterion, const RuleOptions& options,
                    const Execution& execution) {
  if (options.solve) return options.solve(criterion);
  return solve(model, criterion,
               {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
               execution);
}

RuleOrders solved(Solution solution) {
  return {.orders = std::move(solution.policy),
          .status = solution.status,
          .error_bound = solution.error_bound};
}

/// Orders that no iteration computed.
RuleOrders exact(Policy orders) {
  return {.orders = std::move(orders), .status = Status::converged, .error_bound = 0.0};
}

std::size_t order_by_levels(const ReorderLevels& levels, std::size_t total) {
  return total <= levels.reorder_at ? levels.order_up_to - total : 0;
}

}  // namespace

std::optional<Rule> parse_rule(const std::string& name) {
  for (const auto& [known, kind] : plain_rules) {
    if (name == known) return Rule{.name = name, .kind = kind};
  }
  if (name.starts_with(base_stock)) {
    return Rule{.name = name, .kind = Rule::Kind::levels, .levels = base_stock_levels(name)};
  }
  if (name.starts_with(reorder)) {
    return Rule{.name = name, .kind = Rule::Kind::levels, .levels = reorder_levels(name)};
  }
  if (name.starts_with(fixed)) {
    return Rule{.name = name, .kind = Rule::Kind::fixed, .amount = fixed_amount(name)};
  }
  return std::nullopt;
}

std::string likely_rule(std::string_view name) {
  // The parameters of a rule are ignored: bas-stock:15 is close to base-stock:S.
  const std::size_t colon = std::min(name.find(':'), name.size());
  constexpr std::array<std::string_view, 7> words = {
      "optimal", "static", "myopic", "risk-neutral", "base-stock", "reorder", "fixed"};
  constexpr std::array<std::string_view, 7> full = {
      "optimal", "static", "myopic", "risk-neutral", "base-stock:S", "reorder:s,S", "fixed:N"};
  const std::string_view likely = io::likely_name(name.substr(0, colon), words);
  const auto found = std::ranges::find(words, likely);
  return found == words.end()
             ? ""
             : std::string(full.at(static_cast<std::size_t>(found - words.begin())));
}

void check_rule(const Rule& rule, const Model& model) {
  if (rule.kind == Rule::Kind::levels) {
    require(rule.levels.order_up_to <= model.capacity(),
            "{}: the level {} is above the capacity; accepted: levels up to {}", rule.name,
            rule.levels.order_up_to, model.capacity());
  } else if (rule.kind == Rule::Kind::fixed) {
    require(rule.amount <= model.capacity(),
            "{}: the amount is above the capacity; accepted: 0 to {}", rule.name, model.capacity());
  } else if (rule.kind == Rule::Kind::given) {
    model.check_orders(rule.orders);
  }
}

RuleOrders orders_of(const Rule& rule, const Model& model, const Criterion& criterion,
                     const RuleOptions& options, const Execution& execution) {
  check_rule(rule, model);
  switch (rule.kind) {
    case Rule::Kind::optimal:
      return solved(solve_with(model, criterion, options, execution));
    case Rule::Kind::risk_neutral:
      return solved(solve_with(model, {Mean(), criterion.gamma}, options, execution));
    case Rule::Kind::static_orders: {
      NonPerishable non_perishable = solve_non_perishable(model, criterion);
      RuleOrders result = exact(static_policy(model, non_perishable));
      result.non_perishable = std::move(non_perishable);
      return result;
    }
    case Rule::Kind::myopic:
      return exact(myopic_policy(model, criterion, execution));
    case Rule::Kind::levels:
      return exact(reorder_policy(model, rule.levels));
    case Rule::Kind::fixed:
      return exact(fixed_policy(model, rule.amount));
    case Rule::Kind::given:
      break;
  }
  return exact(rule.orders);
}

std::optional<std::size_t> order_of(const Rule& rule, const Model& model,
                                    const Criterion& criterion, const StockToday& today,
                                    const RuleOptions& options, const Execution& execution) {
  check_rule(rule, model);
  const std::size_t total = today.total();
  const std::size_t largest = model.largest_order(today.day, total);
  if (total > model.capacity()) return 0;
  switch (rule.kind) {
    case Rule::Kind::levels:
      return std::min(order_by_levels(rule.levels, total), largest);
    case Rule::Kind::fixed:
      return std::min(rule.amount, largest);
    case Rule::Kind::static_orders:
      return std::min(solve_non_perishable(model, criterion).order[today.day][total], largest);
    case Rule::Kind::myopic: {
      const OrderValues risks = order_values(model, criterion, today, {}, execution.monitor);
      if (risks.values.empty()) return std::nullopt;
      return smallest_best_order(risks.values, 2.0 * risks.rounding);
    }
    case Rule::Kind::given:
      return static_cast<std::size_t>(rule.orders[today.state(model)]);
    case Rule::Kind::optimal:
    case Rule::Kind::risk_neutral:
      break;
  }
  const RuleOrders found = orders_of(rule, model, criterion, options, execution);
  if (!is_success(found.status)) return std::nullopt;
  return static_cast<std::size_t>(found.orders[today.state(model)]);
}

}  // namespace shortfall::inventory
