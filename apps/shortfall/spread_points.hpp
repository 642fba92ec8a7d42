#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"

/// The points of a sweep over inventories, which do not depend on each other: one rank computes a
/// point alone, or all of them compute one after the other. The results are the same.
namespace shortfall::app {

/// What is printed of a point.
struct PointResult {
  std::vector<Outcome> outcomes;
  nlohmann::json document;
  std::vector<std::vector<std::string>> rows;  ///< of the table
  std::string note;                            ///< below the table
  std::string refused;                         ///< why there is no result; empty: there is one
};

class SpreadPoints {
 public:
  /// Points are spread if every rank gets some, and if a machine has the memory for as many at once
  /// as it has ranks.
  SpreadPoints(const std::vector<InventoryPoint>& points, const Processes& processes);

  /// For inputs that ranks read separately and compare.
  void keep_together() { is_spread_ = false; }

  /// The processes that compute a point with this one.
  Processes for_a_point() const { return is_spread_ ? processes_.alone() : processes_; }

  /// On the first rank: the results of all points, each from compute(point) on its rank. If input
  /// is refused, InvalidInput is thrown with the message of the first such point, whoever computed
  /// it.
  std::vector<PointResult> on_first(std::size_t points,
                                    const std::function<PointResult(std::size_t)>& compute) const;

 private:
  bool is_own(std::size_t point) const;
  void collect(std::vector<PointResult>& by_point) const;

  Processes processes_;
  bool is_spread_;
};

}  // namespace shortfall::app
