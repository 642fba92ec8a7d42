#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"

/// Policies to measure against. Each gives one order for every state of the model, never more than
/// fits; ties go to the smaller order.
namespace shortfall::inventory {

/// (s, S): order up to S where the stock is at most s, else nothing.
struct ReorderLevels {
  std::size_t reorder_at;   ///< s
  std::size_t order_up_to;  ///< S > s
};

/// What is best if nothing ever perishes: the optimal order of the same demand, costs (without
/// wastage), loss and discount, by day and total stock.
struct NonPerishable {
  std::vector<std::vector<std::size_t>> order;  ///< [day][total stock]
  std::vector<std::vector<double>> value;       ///< [day][total stock]
  double error_bound = 0.0;                     ///< certified: max |V - V*| over days and totals
  /// By day: (s, S) where the orders have that shape up to what max_order allows, with the smallest
  /// S that explains them; none where they have another shape or nothing is ever ordered.
  std::vector<std::optional<ReorderLevels>> shape;
};
NonPerishable solve_non_perishable(const Model& model, const Criterion& criterion);

/// The non-perishable optimum, looked up by total stock.
Policy static_policy(const Model& model, const NonPerishable& non_perishable);

/// The order of smallest one-period risk ρ(c). Of the options only threads and on_progress count.
Policy myopic_policy(const Model& model, const Criterion& criterion,
                     const SolverOptions& options = {});

/// Up to S, always. The same as (S-1, S). Throws InvalidInput unless 1 ≤ S ≤ capacity.
Policy base_stock_policy(const Model& model, std::size_t level);

/// Throws InvalidInput unless reorder_at < order_up_to ≤ capacity.
Policy reorder_policy(const Model& model, const ReorderLevels& levels);

}  // namespace shortfall::inventory
