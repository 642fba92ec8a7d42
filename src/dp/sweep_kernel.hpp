#pragma once

#include <cstddef>
#include <cstdint>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// One sweep as plain pointers. If `backed_up` is `before` itself, and that is a part of `values`,
/// states use new values.
struct SweepJob {
  const std::size_t* state_begin;  ///< rows of each state; null on a chain, where row x is state x
  const std::size_t* row_begin;
  const double* probability;
  const double* cost;
  const double* expected_cost;  ///< of each row
  const std::uint8_t* costs_vary;
  const std::uint32_t* next;
  double gamma;
  const double* values = nullptr;  ///< V by `next`; these are set for each sweep
  const double* before = nullptr;  ///< V by state
  bool values_are_equal = false;
  double* backed_up = nullptr;
  const std::size_t* chosen_rows = nullptr;  ///< the only row of each state; null: all rows
  std::size_t* greedy_rows = nullptr;        ///< may be null
};

/// Size of the scratch space that backup_states needs for the targets c + γ V' of a row of
/// this length.
std::size_t scratch_size(std::size_t longest_row);

/// Backs up the states [begin, end) with the best instruction set of this machine.
SweepSummary backup_states(const AnyLoss& loss, const SweepJob& job, std::size_t begin,
                           std::size_t end, double* scratch);

/// Extends `summary` to cover `other`. The default summary is neutral.
void merge(SweepSummary& summary, const SweepSummary& other);

}  // namespace shortfall::detail
