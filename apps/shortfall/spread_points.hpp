#pragma once

#include <cstddef>
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
  bool is_own(std::size_t point) const;

  /// On the first rank: the results of all points, of which every rank has its own.
  std::vector<PointResult> on_first(std::vector<PointResult> by_point) const;

 private:
  Processes processes_;
  bool is_spread_;
};

}  // namespace shortfall::app
