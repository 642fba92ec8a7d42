#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "inventory/kernel/delivered_stock.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

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
