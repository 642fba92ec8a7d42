#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/backup_kernel.hpp"
#include "inventory/coarse_deliveries.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::inventory {

/// The deliveries of days with the same law of arrival, for their largest order.
struct DeliveryLaw {
  NestedBinomials exact;
  CoarseDeliveries coarse;
};

/// The Bellman operator of one day. All exact methods here use this one implementation
/// of the backup:
///
///   (T_day V)(x) = min over z of ρ(c + γ V(X')),   V of the day after, or for given orders.
///
/// Sweeps run in parallel, and their results are bitwise identical for any number of threads.
class StockBellman {
 public:
  /// The watch, which must outlive this object, learns the fraction of a sweep that is done. Once
  /// it is stopped, sweeps end without a usable result.
  StockBellman(const Model& model, const Criterion& criterion, int threads,
               shortfall::detail::Watch& watch);

  const Model& model() const { return model_; }
  double gamma() const { return gamma_; }
  bool is_stopped() const { return watch_.is_stopped(); }
  shortfall::detail::Watch& watch() { return watch_; }

  /// The law of a delivery: as it is, or replaced by few points (CoarseDeliveries).
  enum class Deliveries { exact, coarse };

  struct Sweep {
    std::size_t day;
    std::span<const double> next_values;  ///< V of the day after
    std::span<const double> values;       ///< guesses of the result, such as V of the day
    std::span<double> backed_up;          ///< may be `values`
    std::span<ActionIndex> orders;        ///< of the day: given, or initial and then the best
    RootGoal goal;
    Deliveries deliveries = Deliveries::exact;
    std::span<const double> correction = {};  ///< added to the result, or empty
  };

  /// Whether coarse deliveries differ from the exact ones.
  bool has_coarse_deliveries() const;

  /// The number of deliveries of z units.
  std::uint64_t deliveries(std::size_t day, std::size_t z, Deliveries law) const {
    const auto& [exact, coarse] = deliveries_[law_of_day_[day]];
    return law == Deliveries::coarse && coarse.replaces(z) ? coarse.points(z).size()
                                                           : exact.deliveries(z);
  }

  /// Backs up with the given orders only.
  BackupSummary apply_orders(const Sweep& sweep);

  /// The same with the targets of the last sweep, which had the same day, next values and orders.
  BackupSummary reapply_orders(const Sweep& sweep);

  /// Considers all orders that `bounds` do not exclude.
  BackupSummary improve(const Sweep& sweep, const OrderBounds& bounds);

  double highest_cost() const;   ///< of a period, without order costs
  double highest_value() const;  ///< of any policy: the highest cost in every period
  std::size_t orders_per_state() const { return model_.max_order() + 1; }

  /// Bound on the distance of a root's enclosure from the exact root due to rounding, for values in
  /// [lowest, highest]. It is that of risk/rounding.hpp, with the largest number of additions that
  /// a term takes part in. Magnitudes count twelve times, to cover orders that are equal up to
  /// ties, 32 u each way, order costs, and values that are shifted and clamped to their range.
  double rounding(double lowest, double highest) const;

  /// Upper bound on the memory of an operator for this model, in bytes: some losses need less.
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
  shortfall::detail::Watch& watch_;
  shortfall::detail::Workers workers_;
  RowKind kind_;
  DeliveredStock delivered_;
  std::vector<std::size_t> law_of_day_;  // index in deliveries_
  std::vector<DeliveryLaw> deliveries_;
  RiskRounding rounding_;
  std::vector<std::size_t> batches_;   // the start of each, and the end of the last
  std::vector<double> rows_;           // targets by entry, or risks by rank
  std::vector<double> means_;          // of the rows by rank, for expectiles
  std::vector<TargetLayer> layers_;    // by total
  std::vector<double> layer_numbers_;  // storage for the layers' spans
};

}  // namespace shortfall::inventory
