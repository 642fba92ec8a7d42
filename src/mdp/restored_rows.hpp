#pragma once

#include <cstddef>

#include "mdp/grouped_checks.hpp"
#include "mdp/row_summary.hpp"

namespace shortfall::detail {

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
