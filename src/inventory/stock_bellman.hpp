#pragma once

#include <tbb/task_arena.h>

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/backup_kernel.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::inventory {

/// The Bellman operator of one day, the one home of the backup in all that is exact here:
///
///   (T_day V)(x) = min over z of ρ(c + γ V(X')),   V of the day after, or for given orders.
///
/// Sweeps run in parallel and give the same bits for any number of threads.
class StockBellman {
 public:
  StockBellman(const Model& model, const Criterion& criterion, const SolverOptions& options);

  const Model& model() const { return model_; }
  double gamma() const { return gamma_; }

  struct Sweep {
    std::size_t day;
    std::span<const double> next_values;  ///< V of the day after
    std::span<const double> values;       ///< guesses of the result, such as V of the day
    std::span<double> backed_up;          ///< may be `values`
    std::span<ActionIndex> orders;        ///< of the day: given, or to begin with and then the best
    RootGoal goal;
  };

  /// The given orders alone.
  BackupSummary apply_orders(const Sweep& sweep);

  /// All orders that `bounds` do not exclude.
  BackupSummary improve(const Sweep& sweep, const OrderBounds& bounds);

  double highest_cost() const;   ///< of a period, without the order's
  double highest_value() const;  ///< of any policy: the highest cost in every period
  std::size_t orders_of_a_state() const { return arrivals_.max_order() + 1; }

  /// Bound on how far rounding can put a root's enclosure from the exact root, for values in
  /// [lowest, highest]. It is that of risk/rounding.hpp, with the largest number of additions that
  /// one term goes through. Magnitudes count twelve times as much: orders that are equal up to
  /// ties, 32 u each way, and values that are shifted and kept within their range, come on top.
  double rounding(double lowest, double highest) const;

  /// Bytes that an operator for this model takes, at most: some losses need fewer.
  static double memory_needed(const Model& model);

 private:
  enum class Layers { all, of_orders };
  void fill_layers(const Sweep& sweep, Layers which);
  void fill_layer(const FillJob& job, std::size_t t, std::size_t first_row);
  void set_weights(const Sweep& sweep);
  BackupSummary run(const Sweep& sweep, const OrderBounds* bounds);

  const Model& model_;
  AnyLoss loss_;
  double gamma_;
  const SolverOptions& options_;
  tbb::task_arena arena_;
  RowKind kind_;
  DeliveredStock delivered_;
  NestedBinomials arrivals_;
  RiskRounding rounding_;
  std::vector<std::size_t> batches_;   // where each begins, and the end of all
  std::vector<double> rows_;           // targets by entry, or risks by rank
  std::vector<double> means_;          // of the rows by rank, for expectiles
  std::vector<TargetLayer> layers_;    // by total
  std::vector<double> layer_numbers_;  // what the layers' spans refer to
};

}  // namespace shortfall::inventory
