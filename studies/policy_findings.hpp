#pragma once

#include <functional>
#include <string>

#include "studies/policy_table.hpp"

/// Findings of both policy tables.
namespace shortfall::studies {

/// Gaps are the same within this many percentage points: printed values have only two decimals.
inline constexpr double same_gap = 0.02;

/// "12 of 35".
std::string out_of(std::size_t count, std::size_t all);

/// Where a cell is: "tau 0.1, costs (10,1,20,5)".
std::string place_of(const PolicyCell& cell);
std::string place_of(const PrintedGaps& gaps);  ///< the worst

/// Cells of a policy for which something holds.
std::size_t count(const PolicyTable& table, std::string_view policy,
                  const std::function<bool(const PolicyCell&)>& holds);

/// Every cell of these policies agrees to the last printed digit.
Finding exact_cells_match(const PolicyTable& table, const std::vector<std::string>& policies);

/// The largest gap of a policy is the printed one.
Finding worst_gap(const PolicyTable& table, const std::string& policy);

/// The published sweeps stopped before convergence, and by how much.
Finding stopped_early(const PolicyTable& table);

/// A statement about trained policies, tested on a table of one choice.
struct TrainedTest {
  bool holds;
  std::string found;
  double figure;  ///< what varies over choices
};
struct TrainedStatement {
  std::string claim;
  std::string published;
  std::string figure;  ///< the name of TrainedTest::figure
  std::function<TrainedTest(const PolicyTable&)> test;
};

/// Under all choices; `coverage` is that of the settings and iterations as published.
JudgedFinding judged(const TrainedTables& tables, const TrainedStatement& statement,
                     Coverage coverage);

/// Under the published rule even the optimal orders have a gap, because an optimum is printed one
/// sweep earlier than the value of a policy.
Finding optimum_has_a_gap(const PolicyTable& table);

}  // namespace shortfall::studies
