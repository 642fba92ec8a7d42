#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "inventory/kernel/coarse_deliveries.hpp"
#include "inventory/kernel/delivered_stock.hpp"
#include "inventory/kernel/nested_binomials.hpp"
#include "inventory/kernel/root_search.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/risk/any_loss.hpp"

/// The inner loops of a sweep. With w = x + Y the stock after delivery,
///
///   Q(x, z) = order·1{z > 0} + unit·z + ρ(G(x + Y, D)),   G(w, d) = c(w, d) + γ V(w after d),
///
/// because a shortfall risk is translation invariant. For the same reason G is stored relative to
/// γ V(empty), so that sums lose no digits if values are large compared with their differences. G
/// is one table for all x and z, and the law of an order is a mixture of its rows, whose weights
/// are nested binomials. Vectors run along d. For the mean and the entropic risk, which satisfy
/// ρ(X) = ρ(ρ(X | Y)), a row is first replaced by its own risk over D; vectors then run along
/// Y_1, whose rows are adjacent.
namespace shortfall::inventory {

/// Whether rows are replaced by their risk.
enum class RowKind { targets, risks };
RowKind row_kind(const AnyLoss& loss);

/// Ages up to this one are summed over for one stock at a time; their rows are adjacent and fit in
/// a core's own cache. The fresher ages are the outer loops, shared by a batch of stocks, so that
/// each stretch of rows is fetched once for all of them.
constexpr std::size_t inner_ages(RowKind kind) {
  return kind == RowKind::targets ? 4 : 5;
}

/// One layer of stocks after delivery, of total t, as the kernel sees it.
struct TargetLayer {
  const double* rows;     ///< by row of the layer
  std::size_t stride;     ///< between rows; 1 for risks
  const double* means;    ///< Σ_d P(D = d) G(w, d) over a row, if the loss is an expectile
  const double* weights;  ///< P(D = d) for d < width, then zeros up to the stride
  std::span<const double> empty_targets;  ///< of demands ≥ t, which empty the stock
  std::span<const double> empty_weights;  ///< both padded with zeros to a multiple of the lanes
  double empty_mean;                      ///< sum of their products
};

/// Writes rows of targets, or their risks, to consecutive places; `means` is null where there are
/// none.
void fill_targets(const FillJob& job, const RowRange& range, double* rows, double* means);
void fill_risks(const AnyLoss& loss, const FillJob& job, const RowRange& range, double* risks);

/// Stocks of a day with the same total and consecutive ranks, backed up together. In arrays that
/// have only the states of this process, the first one has the index first_own.
struct StockRange {
  std::size_t total;
  std::size_t begin;
  std::size_t end;
  std::size_t first_own;
};

/// What is known about orders other than the best. `lower` holds lower bounds of Q by own state and
/// order, `orders` for each state, for older values; since then Q has decreased by at most `drop`.
/// If lower - drop is above the best order's risk, an order can be skipped. New bounds are stored
/// with `drop` added. If `unlikely_above` is given, an order whose bound is above it by more than
/// the margin is skipped as well. Without `lower` nothing is known, nothing is stored, and a pass
/// takes less time.
struct OrderBounds {
  std::span<float> lower = {};
  std::size_t orders = 0;
  double drop = 0.0;
  std::span<const float> unlikely_above = {};  ///< by own state, or empty
  double unlikely_margin = 0.0;
};

/// One sweep over the states of a day.
struct BackupJob {
  const Model* model;
  std::size_t day;
  const DeliveredStock* delivered;
  const NestedBinomials* arrivals;  ///< of the day
  const TargetLayer* layers;        ///< by total, 0..capacity
  double base;                      ///< γ V(empty), to which targets are relative
  double lowest_target;             ///< all risks lie between these two, up to base and order costs
  double highest_target;
  RootGoal goal;
  const double* values;  ///< V of the day, where root searches start; may be that of `backed_up`
  double* backed_up;
  ActionIndex* orders;  ///< the order of each stock; when improving, the initial one

  const OrderBounds* bounds = nullptr;       ///< null: only the given orders
  const CoarseDeliveries* coarse = nullptr;  ///< null: the exact deliveries
  const double* correction = nullptr;        ///< by own state, added to its risk; null: none
};

/// Summary of a sweep over its states.
struct BackupSummary {
  double lowest_change = std::numeric_limits<double>::infinity();
  double highest_change = -std::numeric_limits<double>::infinity();
  double root_error = 0.0;  ///< largest distance of a root from the ends of its enclosure
  std::uint64_t rows = 0;   ///< rows of targets visited
  bool finite = true;

  void merge(const BackupSummary& other);
};

/// The largest number of states in a batch. A batch shares the fetching of rows; threads
/// share batches.
inline constexpr std::size_t largest_batch = 512;

/// Backs up these states, which must fit in one batch. `without_order` has their own rows, for
/// those that order nothing, one after the other.
BackupSummary backup_batch(const AnyLoss& loss, const BackupJob& job, const StockRange& stocks,
                           const TargetLayer& without_order);

}  // namespace shortfall::inventory
