#pragma once

#include <functional>
#include <string>

#include "policy_table.hpp"

/// Findings that both tables of policies have.
namespace shortfall::studies {

/// Gaps are the same within so many percentage points: printed values have two decimals, too.
inline constexpr double same_gap = 0.02;

/// "12 of 35".
std::string out_of(std::size_t count, std::size_t all);

/// Where a cell is: "tau 0.1, costs (10,1,20,5)".
std::string place_of(const PolicyCell& cell);
std::string place_of(const PrintedGaps& gaps);  ///< the worst

/// Cells of a policy for which something holds.
std::size_t count(const PolicyTable& table, std::string_view policy,
                  const std::function<bool(const PolicyCell&)>& holds);

/// That every cell of these policies comes out to the printed digit.
Finding exact_cells_match(const PolicyTable& table, const std::vector<std::string>& policies);

/// That the largest gap of a policy is the printed one.
Finding worst_gap(const PolicyTable& table, const std::string& policy);

/// That the sweeps stopped before values were converged, and by how much.
Finding stopped_early(const PolicyTable& table);

/// That under the published rule even the optimal orders have a gap, since an optimum is printed
/// one sweep before the value of a policy is.
Finding optimum_has_a_gap(const PolicyTable& table);

}  // namespace shortfall::studies
