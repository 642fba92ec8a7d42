#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "inventory/kernel/batches.hpp"
#include "inventory/kernel/coarse_deliveries.hpp"
#include "inventory/kernel/target_table.hpp"
#include "parallel/communicator.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::inventory {

struct ValueRange {
  double lowest = infinity;
  double highest = -infinity;

  void include(const ValueRange& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
};

/// The range of values that all processes have: each looks at its part. NaN is passed over, and
/// zeros lose their sign, since which of two is the largest may depend on the order of values.
inline ValueRange range_of(std::span<const double> values,
                           shortfall::detail::Communicator& communicator) {
  constexpr std::size_t values_per_task = 1 << 15;
  const std::size_t first = values.size() * communicator.rank() / communicator.size();
  const std::size_t last = values.size() * (communicator.rank() + 1) / communicator.size();
  const ValueRange here = shortfall::detail::parallel_reduce(
      last - first, values_per_task, ValueRange(),
      [part = values.subspan(first)](std::size_t begin, std::size_t end) {
        ValueRange range;
        for (const double v : part.subspan(begin, end - begin)) range.include({v, v});
        return range;
      },
      [](ValueRange& a, const ValueRange& b) { a.include(b); });
  std::array<double, 2> ends{-here.lowest, here.highest};
  communicator.max(ends);
  return {0.0 - ends[0], 0.0 + ends[1]};
}

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
/// Sweeps run in parallel, on the ranks of the watch and threads of each, and their results are
/// bitwise identical for any number of these. All ranks call the same sweeps with the same values,
/// each with the order bounds and corrections of its own states (batches()), and then have all
/// values and orders.
class StockBellman {
 public:
  /// The watch, which must outlive this object, learns the fraction of a sweep that is done. Once
  /// it is stopped, which is agreed upon at the end of each sweep, sweeps end without a usable
  /// result.
  StockBellman(const Model& model, const Criterion& criterion, int threads,
               shortfall::detail::Watch& watch);

  const Model& model() const { return model_; }
  double gamma() const { return gamma_; }
  bool is_stopped() const { return watch_.is_stopped(); }
  shortfall::detail::Watch& watch() { return watch_; }
  const Batches& batches() const { return batches_; }
  std::size_t own_stocks() const { return batches_.own_stocks(); }

  /// Runs loops on the threads of the sweeps.
  void run_loops(const std::function<void()>& loops) { workers_.run(loops); }
  /// The range of values that all ranks have.
  ValueRange range_of(std::span<const double> values);

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
    std::span<const double> correction = {};  ///< by own stock, added to the result, or empty
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

  /// The same with the targets of the last sweep, which had the same day, next values and orders,
  /// and only for this rank's own stocks.
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
  void fill(const Sweep& sweep, std::span<const ActionIndex> orders);
  BackupSummary run(const Sweep& sweep, const OrderBounds* bounds);
  BackupSummary over_all_ranks(const BackupSummary& here) const;

  const Model& model_;
  AnyLoss loss_;
  double gamma_;
  shortfall::detail::Watch& watch_;
  shortfall::detail::Workers workers_;
  DeliveredStock delivered_;
  std::vector<std::size_t> law_of_day_;  // index in deliveries_
  std::vector<DeliveryLaw> deliveries_;
  RiskRounding rounding_;
  Batches batches_;
  TargetTable targets_;
};

}  // namespace shortfall::inventory
