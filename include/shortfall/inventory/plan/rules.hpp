#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/parallel/execution.hpp"

/// Ordering rules by name, the same for all commands and for Python:
///
///   optimal         the orders of solve()
///   risk-neutral    the same for the mean
///   static          optimal if nothing perished, by total stock
///   myopic          least risk of the current period's cost
///   base-stock:S    order up to S
///   reorder:s,S     order up to S when s or fewer are left
///   fixed:N         always N
///
/// Every rule orders at most what fits and what the day allows.
namespace shortfall::inventory {

struct Rule {
  enum class Kind { optimal, risk_neutral, static_orders, myopic, levels, fixed, given };

  std::string name;  ///< as it was given
  Kind kind = Kind::optimal;
  ReorderLevels levels = {};  ///< for reorder:s,S, and for base-stock:S, which is (S-1, S)
  std::size_t amount = 0;     ///< N in fixed:N
  Policy orders = {};         ///< by state, of a rule that was given as orders
};

inline constexpr std::string_view accepted_rules =
    "optimal, static, myopic, risk-neutral, base-stock:S, reorder:s,S, fixed:N";

/// The rule of this name; none if no rule has such a name. Throws InvalidInput for base-stock,
/// reorder and fixed without proper levels.
std::optional<Rule> parse_rule(const std::string& name);

/// The rule name that was probably meant; empty if none is close.
std::string likely_rule(std::string_view name);

/// Throws InvalidInput unless the rule's levels, amount or orders fit the model.
void check_rule(const Rule& rule, const Model& model);

struct RuleOptions {
  Tolerance tolerance = {};      ///< as in SolverOptions
  int max_iterations = 1000000;  ///< as in SolverOptions
  /// In place of solve(), for example to start from known values.
  std::function<Solution(const Criterion&)> solve = {};
};

/// The orders of a rule by state, and how their computation ended.
struct RuleOrders {
  Policy orders;  ///< empty if stopped
  Status status = Status::iteration_limit;
  double error_bound = infinity;
  std::optional<NonPerishable> non_perishable = {};  ///< only for the rule static
};
RuleOrders orders_of(const Rule& rule, const Model& model, const Criterion& criterion,
                     const RuleOptions& options = {}, const Execution& execution = {});

struct StockToday;

/// The order of a rule at one stock. Only the optimal and the risk-neutral rule compute those of
/// all stocks for it. None if stopped, or if that did not converge.
std::optional<std::size_t> order_of(const Rule& rule, const Model& model,
                                    const Criterion& criterion, const StockToday& today,
                                    const RuleOptions& options = {},
                                    const Execution& execution = {});

}  // namespace shortfall::inventory
