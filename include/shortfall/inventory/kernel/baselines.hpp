#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"

/// Baseline policies for comparison. Each gives one order for every state of the model, never more
/// than fits; ties go to the smaller order.
namespace shortfall::inventory {

/// (s, S): order up to S if the stock is at most s, else nothing.
struct ReorderLevels {
  std::size_t reorder_at;   ///< s
  std::size_t order_up_to;  ///< S > s
};

/// The optimum if nothing ever perishes: the optimal order for the same demand, costs (without
/// wastage), loss and discount, by day and total stock.
struct NonPerishable {
  std::vector<std::vector<std::size_t>> order;  ///< [day][total stock]
  std::vector<std::vector<double>> value;       ///< [day][total stock]
  double error_bound = infinity;                ///< certified: max |V - V*| over days and totals
  /// By day: (s, S) if the orders have that form up to the limit max_order, with the smallest S
  /// that fits them; none if they have another form or nothing is ever ordered.
  std::vector<std::optional<ReorderLevels>> shape;
};
NonPerishable solve_non_perishable(const Model& model, const Criterion& criterion);

/// The non-perishable optimum, looked up by total stock: its orders, and its values.
Policy static_policy(const Model& model, const NonPerishable& non_perishable);
std::vector<double> static_values(const Model& model, const NonPerishable& non_perishable);

/// The order with the smallest one-period risk ρ(c); empty if stopped. The monitor is called with
/// the fraction that is done.
Policy myopic_policy(const Model& model, const Criterion& criterion,
                     const Execution& execution = {});

/// Always orders up to S. The same as (S-1, S). Throws InvalidInput unless 1 ≤ S ≤ capacity.
Policy base_stock_policy(const Model& model, std::size_t level);

/// Throws InvalidInput unless reorder_at < order_up_to ≤ capacity.
Policy reorder_policy(const Model& model, const ReorderLevels& levels);

/// Always orders this amount. Throws InvalidInput for more than the capacity.
Policy fixed_policy(const Model& model, std::size_t amount);

}  // namespace shortfall::inventory
