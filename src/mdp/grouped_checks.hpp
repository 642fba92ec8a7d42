#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/row_costs.hpp"

namespace shortfall::detail {

/// A grouped table that is a whole model, or the part of one from `first_state` on. In a part,
/// `next` counts all states of the model.
struct TablePart {
  const GroupedTable& table;
  std::size_t first_state = 0;
};

/// Throws InvalidModel: "state X, action A: PROBLEM".
[[noreturn]] void reject_row(const TablePart& part, std::size_t row, const std::string& problem);

/// Throws InvalidModel unless lengths and beginnings fit together, and the actions of each state
/// are in increasing order.
void check_shape(const TablePart& part);

/// A summary of the outcomes of some rows; see RowCosts.
struct CostLimits {
  double lowest = 0.0;
  double highest = 0.0;
  double least_probability = 1.0;

  void merge(const CostLimits& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
    least_probability = std::min(least_probability, other.least_probability);
  }
};

/// The summary of rows that are not summarised yet, or have no outcomes.
RowCosts empty_row_costs(std::size_t rows);

/// The entries of a row in RowCosts, unless it has no outcomes; returns its limits.
CostLimits summarise_row(const Outcomes::Row& law, double& expected, std::uint8_t& varies);

void set_limits(const CostLimits& limits, RowCosts& costs);

/// Rows for one task: about as many outcomes for each, whatever the length of rows.
std::size_t rows_per_task(const Outcomes& outcomes);

/// Checks rows as Mdp::restore() says, and summarises their costs, in the order in which their
/// outcomes arrive: so each is read while it is still in a cache. Errors are reported at the end.
class RestoredRows {
 public:
  /// The beginnings of the table's rows are there, and increase. The rows are those of a model of
  /// `states` states.
  RestoredRows(const GroupedTable& table, std::size_t states);

  /// Looks at the rows, not seen so far, whose outcomes are among the first `outcomes`, in
  /// parallel.
  void see(std::size_t outcomes);

  /// After all of them: throws InvalidModel for the first row that is not sound. `first_state` is
  /// the state of the model that is the first of the table.
  RowCosts finish(std::size_t first_state = 0);

 private:
  const GroupedTable& table_;
  std::size_t states_;
  RowCosts costs_;
  CostLimits limits_;
  std::size_t seen_ = 0;  ///< rows
  std::size_t unsound_;   ///< the first row
};

}  // namespace shortfall::detail
