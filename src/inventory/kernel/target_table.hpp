#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/kernel/backup_kernel.hpp"
#include "inventory/kernel/batches.hpp"
#include "memory/zeroed_array.hpp"
#include "parallel/watch.hpp"

namespace shortfall::inventory {

/// The table G(w, d) of a sweep, or the risks of its rows: see backup_kernel.hpp. It has all rows
/// of the totals that orders lead to. Each process computes all targets, which takes less time than
/// sending them: a row has twenty numbers. Risks are one number per row: each process computes a
/// part of them and gathers the others.
///
/// A stock that orders nothing has a row of its own, which no other stock reads. If its total is
/// not in the table, it is computed with its batch, when it is needed, and stays in a core's own
/// cache.
class TargetTable {
 public:
  /// All must outlive this object.
  TargetTable(const Model& model, const AnyLoss& loss, const DeliveredStock& delivered,
              Batches& batches);

  /// The targets for these values of the day after. `orders` are those of the day, by stock, or
  /// empty if all orders will be considered. Without a usable result if stopped.
  void fill(const FillJob& job, std::span<const ActionIndex> orders,
            const shortfall::detail::Watch& watch);

  /// By total.
  const TargetLayer* layers() const { return layers_.data(); }

  /// The rows of the stocks of a batch if they order nothing, for the values of the last fill(),
  /// until the calling thread asks for those of another batch.
  TargetLayer without_order(const StockRange& batch);

 private:
  void set_weights();
  std::vector<bool> whole_layers(std::span<const ActionIndex> orders) const;
  void fill_whole(std::size_t first_total, std::size_t end_total,
                  const shortfall::detail::Watch& watch);

  const Model& model_;
  const AnyLoss& loss_;
  const DeliveredStock& delivered_;
  Batches& batches_;
  RowKind kind_;
  FillJob job_;
  std::vector<bool> whole_;                       // by total: whether its rows are in the table
  shortfall::detail::ZeroedArray<double> rows_;   // targets by entry, or risks by rank
  shortfall::detail::ZeroedArray<double> means_;  // of the rows by rank, for expectiles
  std::vector<TargetLayer> layers_;               // by total
  std::vector<double> layer_numbers_;             // storage for the layers' spans
  tbb::enumerable_thread_specific<std::vector<double>> batch_rows_;  // and their means
};

}  // namespace shortfall::inventory
