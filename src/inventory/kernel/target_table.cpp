#include "inventory/kernel/target_table.hpp"

#include <algorithm>
#include <atomic>

namespace shortfall::inventory {
namespace {

using shortfall::detail::Communicator;
using shortfall::detail::Watch;

constexpr std::size_t rows_per_task = 1024;

/// Where the part of each process begins, among this many rows.
std::vector<std::size_t> equal_parts(std::size_t count, std::size_t processes) {
  std::vector<std::size_t> begin;
  for (std::size_t r = 0; r <= processes; ++r) begin.push_back(count * r / processes);
  return begin;
}

}  // namespace

TargetTable::TargetTable(const Model& model, const AnyLoss& loss, const DeliveredStock& delivered,
                         Batches& batches)
    : model_(model),
      loss_(loss),
      delivered_(delivered),
      batches_(batches),
      kind_(row_kind(loss)),
      rows_(kind_ == RowKind::targets ? delivered.entries()
                                      : delivered.index().size() + DeliveredStock::lanes),
      batch_rows_([longest = kind_ == RowKind::targets ? delivered.stride(model.capacity()) : 1] {
        return std::vector<double>(largest_batch * (1 + longest));
      }) {
  if (std::holds_alternative<Expectile>(loss.variant())) {
    means_ = shortfall::detail::ZeroedArray<double>(delivered.index().size());
  }
}

void TargetTable::set_weights() {
  const std::size_t longest = DeliveredStock::padded(model_.max_demand() + 1);
  layers_.clear();
  layer_numbers_.assign((model_.capacity() + 1) * 3 * longest, 0.0);
  for (std::size_t t = 0; t <= model_.capacity(); ++t) {
    double* const weights = &layer_numbers_[t * 3 * longest];
    double* const empty_targets = weights + longest;
    double* const empty_weights = empty_targets + longest;
    const std::size_t width = delivered_.width(t);
    std::copy_n(job_.demand.begin(), std::min(width, job_.demand.size()), weights);
    std::size_t count = 0;
    double mean = 0.0;
    for (std::size_t d = t; d < job_.demand.size(); ++d, ++count) {
      empty_targets[count] = model_.period_cost(job_.day, {t, 0}, d);
      empty_weights[count] = job_.demand[d];
      mean += job_.demand[d] * empty_targets[count];
    }
    const bool targets = kind_ == RowKind::targets;
    const std::size_t first_rank = delivered_.index().layer_begin(t);
    layers_.push_back({.rows = &rows_[targets ? delivered_.entry_begin(t) : first_rank],
                       .stride = targets ? delivered_.stride(t) : 1,
                       .means = means_.empty() ? nullptr : &means_[first_rank],
                       .weights = weights,
                       .empty_targets = {empty_targets, DeliveredStock::padded(count)},
                       .empty_weights = {empty_weights, DeliveredStock::padded(count)},
                       .empty_mean = mean});
  }
}

void TargetTable::fill(const FillJob& job, std::span<const ActionIndex> orders,
                       const Watch& watch) {
  job_ = job;
  set_weights();
  whole_ = whole_layers(orders);
  for (std::size_t t = 0; t < whole_.size(); ++t) {
    if (!whole_[t]) continue;
    const std::size_t first = t;
    while (t < whole_.size() && whole_[t]) ++t;
    fill_whole(first, t, watch);
  }
}

/// The totals that orders lead to. Ranks that share the rows of a total must all know it.
std::vector<bool> TargetTable::whole_layers(std::span<const ActionIndex> orders) const {
  const std::size_t totals = model_.capacity() + 1;
  if (orders.empty()) return std::vector<bool>(totals, true);
  std::vector<std::atomic<bool>> reached(totals);
  shortfall::detail::parallel_for(batches_.own().size(), [&](std::size_t b) {
    const StockRange& batch = batches_.own()[b];
    for (const ActionIndex z : orders.subspan(batch.begin, batch.end - batch.begin)) {
      if (z > 0) reached[batch.total + static_cast<std::size_t>(z)].store(true);
    }
  });
  std::vector<double> flags(reached.begin(), reached.end());
  if (kind_ == RowKind::risks) batches_.communicator().max(std::span(flags));
  return {flags.begin(), flags.end()};
}

void TargetTable::fill_whole(std::size_t first_total, std::size_t end_total, const Watch& watch) {
  const StockIndex& index = delivered_.index();
  Communicator& communicator = batches_.communicator();
  const std::size_t first = index.layer_begin(first_total);
  const std::size_t count = index.layer_begin(end_total) - first;
  const bool shared = kind_ == RowKind::risks;
  const std::vector<std::size_t> part = equal_parts(count, shared ? communicator.size() : 1);
  const std::size_t own = shared ? communicator.rank() : 0;
  const auto fill_ranks = [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = first_total; t < end_total && !watch.is_stopped(); ++t) {
      const std::size_t layer = index.layer_begin(t);
      const std::size_t from = std::max(begin, layer);
      const std::size_t to = std::min(end, layer + index.layer_size(t));
      if (from >= to) continue;
      const RowRange range{t, from - layer, to - layer};
      if (kind_ == RowKind::risks) {
        fill_risks(loss_, job_, range, &rows_[from]);
      } else {
        fill_targets(job_, range,
                     &rows_[delivered_.entry_begin(t) + range.begin * delivered_.stride(t)],
                     means_.empty() ? nullptr : &means_[from]);
      }
    }
  };
  shortfall::detail::parallel_for_blocks(
      part[own + 1] - part[own], rows_per_task, [&](std::size_t begin, std::size_t end) {
        fill_ranks(first + part[own] + begin, first + part[own] + end);
      });
  if (shared) communicator.gather(std::span(&rows_[first], count), part);
}

TargetLayer TargetTable::without_order(const StockRange& batch) {
  const std::size_t t = batch.total;
  const std::size_t row =
      delivered_.row_without_order(batch.begin - model_.stocks().layer_begin(t), t);
  TargetLayer layer = layers_[t];
  if (whole_[t]) {
    layer.rows += row * layer.stride;
    if (layer.means) layer.means += row;
    return layer;
  }
  const RowRange range{t, row, row + batch.end - batch.begin};
  double* const means = batch_rows_.local().data();
  double* const rows = means + largest_batch;
  if (kind_ == RowKind::risks) {
    fill_risks(loss_, job_, range, rows);
  } else {
    fill_targets(job_, range, rows, layer.means ? means : nullptr);
  }
  layer.rows = rows;
  if (layer.means) layer.means = means;
  return layer;
}

}  // namespace shortfall::inventory
