#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inventory/model/cumulative_stock.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// Rows [begin, end) of the stocks with total t.
struct RowRange {
  std::size_t t;
  std::size_t begin;
  std::size_t end;
};

/// Consecutive rows [begin, end) of a layer that differ only in how many units of the two oldest
/// ages are of the oldest: w_1 = first_expiring for the first of them, and one more for each next.
struct RowRun {
  std::size_t begin;
  std::size_t end;
  std::size_t first_expiring;
  /// By demand d ≥ w_1: the rank of the stock x' in the next period, the same for all rows. A
  /// smaller demand leaves what w_1 leaves, since the rest of the oldest age expires.
  std::span<const std::uint32_t> left;
};

/// The stock right after delivery, w = x + Y with m ages, and the stock that each demand leaves. A
/// row holds the demands d < |w| that leave some stock, d = 0..width(|w|)-1; every other demand
/// empties the stock, at a cost that depends on |w| alone. Rows of the same total form a layer with
/// a common stride.
///
/// Ranks of what is left are computed for a run of rows when they are needed: a table of them would
/// take half as much memory as the targets, and as much time to read.
class DeliveredStock {
 public:
  static constexpr std::size_t lanes = 4;  ///< a row's stride is a multiple of it

  /// Rounds up to a multiple of the lanes.
  static std::size_t padded(std::size_t size) { return (size + lanes - 1) / lanes * lanes; }

  explicit DeliveredStock(const Model& model);

  const StockIndex& index() const { return index_; }
  std::size_t width(std::size_t total) const { return width_[total]; }
  std::size_t stride(std::size_t total) const { return stride_[total]; }
  /// The first entry of a layer among the entries of all rows.
  std::size_t entry_begin(std::size_t total) const { return entry_begin_[total]; }
  std::size_t entries() const { return entry_begin_.back(); }

  /// Calls visit(run) for the runs of these rows, in order.
  template <class Visit>
  void for_each_run(const RowRange& rows, const Visit& visit) const {
    if (rows.begin == rows.end) return;
    CumulativeStock w(index_, index_.layer_begin(rows.t) + rows.begin);
    std::array<std::uint32_t, largest_left> left;
    for (std::size_t begin = rows.begin; begin < rows.end;) {
      // The oldest age is the whole stock if there is no other.
      const std::size_t most = index_.length() == 1 ? w[1] : w[2];
      const std::size_t count = std::min(most - w[1] + 1, rows.end - begin);
      const std::size_t demands = std::max(width_[rows.t], w[1] + count);
      write_left(w, demands, left);
      visit(RowRun{begin, begin + count, w[1], {left.data(), demands}});
      begin += count;
      if (begin < rows.end) w.advance_past(count);
    }
  }

  /// The row of w = (x, 0) in its layer, when nothing was ordered.
  std::size_t row_without_order(std::size_t rank_in_layer, std::size_t total) const {
    return first_without_fresh_[total] + rank_in_layer;
  }
  std::size_t first_without_fresh(std::size_t total) const { return first_without_fresh_[total]; }

  /// The number of entries, without building them, as a double that cannot overflow.
  static double entry_count(const Model& model);

 private:
  static constexpr std::size_t largest_left = (largest_capacity + 1 + lanes - 1) / lanes * lanes;

  void write_left(const CumulativeStock& w, std::size_t demands,
                  std::array<std::uint32_t, largest_left>& left) const;

  StockIndex index_;
  std::vector<std::size_t> width_;
  std::vector<std::size_t> stride_;
  std::vector<std::size_t> entry_begin_;
  std::vector<std::size_t> first_without_fresh_;
  std::size_t term_width_;
  std::vector<std::uint32_t> falling_terms_;  // by age of x': those of its index, last to first
};

/// What the targets of a day depend on.
struct FillJob {
  const Model* model = nullptr;
  std::size_t day = 0;
  const DeliveredStock* delivered = nullptr;
  std::span<const double> demand = {};  ///< of the day
  const double* next_values = nullptr;  ///< V of the day after
  double gamma = 0.0;
};

/// G(w, d) - γ V(empty) for the demands d < width that leave some stock, run by run of a layer. The
/// values that the rows of a run share are read once:
///
///   G(w, d) - γ V(empty) = holding[d] + later[max(d, w_1)] + wastage·(w_1 - d)⁺.
class RowTargets {
 public:
  RowTargets(const FillJob& job, std::size_t t)
      : job_(job), t_(t), width_(job.delivered->width(t)) {
    const Costs& cost = job.model->cost(job.day);
    for (std::size_t d = 0; d < width_; ++d) {
      holding_[d] = cost.holding * static_cast<double>(t - d);
    }
    for (std::size_t units = 0; units <= t; ++units) {
      wastage_[t - units] = cost.wastage * static_cast<double>(units);
    }
  }

  std::size_t width() const { return width_; }

  /// Prepares for the rows of a run.
  void begin_run(const RowRun& run) {
    for (std::size_t d = run.first_expiring; d < run.left.size(); ++d) {
      later_[d] = job_.gamma * (job_.next_values[run.left[d]] - job_.next_values[0]);
    }
    std::fill_n(later_.begin() + static_cast<std::ptrdiff_t>(run.left.size()),
                DeliveredStock::lanes, 0.0);
  }

  /// Writes the row with this many units that expire unless they are sold.
  void write(std::size_t expiring, double* targets) const {
    const std::size_t demands = std::min(expiring, width_);
    const double* const wastage = &wastage_[t_ - expiring];
    const double later = later_[expiring];
    for (std::size_t d = 0; d < demands; ++d) targets[d] = holding_[d] + later + wastage[d];
    for (std::size_t d = demands; d < width_; ++d) targets[d] = holding_[d] + later_[d];
  }

  const double* holding() const { return holding_.data(); }
  /// Set from the first w_1 of the run on, and followed by zeros for vectors that reach beyond it.
  const double* later() const { return later_.data(); }

 private:
  const FillJob& job_;
  std::size_t t_;
  std::size_t width_;
  std::array<double, largest_capacity + 1> holding_;                        // by demand
  std::array<double, largest_capacity + 1> wastage_;                        // of t, t-1, .. units
  std::array<double, largest_capacity + 1 + DeliveredStock::lanes> later_;  // by demand
};

}  // namespace shortfall::inventory
