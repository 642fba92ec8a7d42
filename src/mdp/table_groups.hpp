#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::detail {

/// Puts the rows of a table in order of (from, action), rows of one pair in the given order.
/// Returns where each of them was, nothing if they were in order. `from` is below `states`.
std::vector<std::size_t> group(TransitionTable& table, std::size_t states);

/// Whether row i is the first one of its pair of state and action, in a table in that order.
bool starts_pair(const TransitionTable& table, std::size_t i);

/// The pairs of such a table with their outcomes. The columns `from` and `action` are left.
GroupedTable take_grouped(TransitionTable& table, std::size_t states);

/// What the checks of a table find out besides.
struct TableSummary {
  std::size_t states = 0;
  bool grouped = true;  ///< the rows are in order of state and action
};

/// Everything Mdp::build(TransitionTable) promises to check except the sums of probabilities, in
/// parallel. Throws InvalidModel for the first row that is not sound; then for missing states, and
/// then for missing actions.
TableSummary check_table(const TransitionTable& table);

/// Whether an outcome may be part of a model.
inline bool is_sound(double probability, double cost) {
  return probability >= 0.0 && probability <= 1.0 + probability_tolerance && std::isfinite(cost);
}

/// What is wrong with an outcome that is not sound; `next` is the id of the next state.
std::string outcome_problem(double probability, double cost, std::uint64_t next);

}  // namespace shortfall::detail
